/**
 * The half of a session that only pages of this origin have, including the port. The other half is in a cookie, which
 * no script can read and which browsers send to every port of the host: neither is worth anything alone.
 */
const place = 'tenant-session'

/** For browsers that store nothing. */
let kept: string | undefined

export function sessionCounterpart(): string | undefined {
  try {
    return localStorage.getItem(place) ?? kept
  } catch {
    return kept
  }
}

export function keepCounterpart(counterpart: string): void {
  kept = counterpart
  try {
    localStorage.setItem(place, counterpart)
  } catch {
    // Only this page keeps it.
  }
}

export function forgetCounterpart(): void {
  kept = undefined
  try {
    localStorage.removeItem(place)
  } catch {
    // There is nothing to forget.
  }
}

/** Called when another page of this origin has signed in or out. Returns a function that removes the listener. */
export function whenCounterpartChanges(listener: () => void): () => void {
  const heard = ({ key }: StorageEvent) => {
    if (key !== place && key !== null) return
    kept = undefined
    listener()
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}
