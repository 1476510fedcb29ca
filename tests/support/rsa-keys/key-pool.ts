import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** More than the servers of any test whose keys must differ. */
export const poolSize = 12

/**
 * RSA keys that all processes of a run share. They are handed out in turn, so that consecutive servers get different
 * ones.
 */
export interface KeyPool {
  /** PKCS #8 PEM. Keys are created only in the first round. */
  next(make: () => Promise<string>): Promise<string>
}

export function keyPool(directory: string): KeyPool {
  const turns = join(directory, 'turns')
  mkdirSync(turns, { recursive: true, mode: 0o700 })
  return {
    next: async (make) => {
      const file = join(directory, `key-${nextTurn(turns) % poolSize}`)
      if (!existsSync(file)) keep(file, await make())
      return readFileSync(file, 'utf8')
    },
  }
}

function nextTurn(turns: string): number {
  let turn = readdirSync(turns).length
  while (!isFirst(join(turns, String(turn)))) turn += 1
  return turn
}

/** Whether no process has taken this turn before. */
function isFirst(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Atomic; if two processes created one, the first stays. */
function keep(file: string, pem: string): void {
  const draft = `${file}-${process.pid}-${process.hrtime.bigint()}`
  writeFileSync(draft, pem, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch {
    // Another process was faster.
  } finally {
    rmSync(draft)
  }
}
