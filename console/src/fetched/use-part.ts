import type { Fetched } from './fetched.ts'
import { useAsked } from './use-asked.ts'

/**
 * A part of the console that is loaded when it is first shown. Unlike `lazy` of React, a part that cannot be loaded is
 * missing only in its own place, and may be loaded later.
 */
export function usePart<T>(name: string, load: () => Promise<T>): Fetched<T> {
  return useAsked({
    queryKey: ['part', name],
    queryFn: () =>
      load().catch((cause: unknown) => {
        throw new Error(`The ${name} could not be loaded. If the platform has been upgraded, reload this page.`, {
          cause,
        })
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
