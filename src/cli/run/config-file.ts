import { readFile } from 'node:fs/promises'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { ownConfig } from '../../api/tenant-config/parse.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Log } from '../../base/log.ts'
import { checkConfig } from '../../patches/config/check-config.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Terminal } from '../terminal/terminal.ts'

const lookEveryMs = 500

/** The configuration at the start: an invalid one ends the command. */
export async function firstConfig(file: string | undefined, terminal: Terminal): Promise<EffectiveConfig> {
  return file === undefined ? effectiveConfig({}) : loadConfig(file, terminal)
}

/**
 * Reports every valid configuration that differs from the previous one. Compares the text, since a mounted ConfigMap
 * changes by a symbolic link. Returns a function that stops this.
 */
export function followConfig(
  file: string,
  first: EffectiveConfig,
  changed: (config: EffectiveConfig) => Promise<void>,
  log: Log,
): () => void {
  let text: string | undefined
  let config = first
  let isBusy = false
  const look = async () => {
    const now = await readFile(file, 'utf8').catch(() => undefined)
    if (now === undefined || now === text) return
    text = now
    const next = rightConfig(now, file, log)
    // It may have changed between the start and the first check.
    if (next === undefined || deepEqual(next, config)) return
    config = next
    log.info('the configuration has changed', { file })
    await changed(config)
  }
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    look()
      .catch((error: unknown) => log.error('the configuration could not be applied', { file, error }))
      .finally(() => {
        isBusy = false
      })
  }, lookEveryMs)
  return () => clearInterval(timer)
}

function rightConfig(text: string, file: string, log: Log): EffectiveConfig | undefined {
  const { config, problems } = checkConfig(text, file, ownConfig)
  if (config !== undefined) return effectiveConfig(config)
  for (const { line, column, message } of problems) {
    log.warn('the configuration has changed into one that is wrong, so the last one stays', {
      file,
      line,
      column,
      message,
    })
  }
  return undefined
}
