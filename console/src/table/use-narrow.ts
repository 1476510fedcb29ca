import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(max-width: 767px)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether there is no room for columns side by side. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
