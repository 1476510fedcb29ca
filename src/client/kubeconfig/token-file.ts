import type { Clock } from '../../base/clock.ts'

const goodForMs = 10_000

/** A token in a file that another process renews. Read again from time to time, and after a refusal. */
export interface TokenFile {
  headers(): Promise<{ readonly authorization: string }>
  refused(): boolean
}

export function createTokenFile(readText: () => Promise<string>, clock: Clock): TokenFile {
  let last: { readonly token: string; readonly readAtMs: number } | undefined
  return {
    headers: async () => {
      const nowMs = clock.now()
      if (last === undefined || nowMs < last.readAtMs || nowMs - last.readAtMs >= goodForMs)
        last = { token: (await readText()).trim(), readAtMs: nowMs }
      return bearer(last.token)
    },
    refused: () => {
      last = undefined
      return true
    },
  }
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}
