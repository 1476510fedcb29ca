import { readFile } from 'node:fs/promises'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { Log } from '../../base/log.ts'
import { checkConfig } from '../../patches/config/check-config.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Terminal } from '../terminal.ts'

const lookEveryMs = 500

/** The configuration at the start: one that is wrong ends the command. */
export async function firstConfig(file: string | undefined, terminal: Terminal): Promise<EffectiveConfig> {
  return file === undefined ? effectiveConfig({}) : loadConfig(file, terminal)
}

/**
 * Tells every later configuration that is right. Looks at the text, since a mounted ConfigMap changes by a link that
 * leads elsewhere. Returns how to end it.
 */
export function followConfig(file: string, changed: (config: EffectiveConfig) => Promise<void>, log: Log): () => void {
  let last: string | undefined
  let isBusy = false
  const look = async () => {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined || text === last) return
    const isFirst = last === undefined
    last = text
    const config = isFirst ? undefined : rightConfig(text, file, log)
    if (config !== undefined) await changed(config)
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
  const { config, problems } = checkConfig(text, file)
  if (config !== undefined) {
    log.info('the configuration has changed', { file })
    return effectiveConfig(config)
  }
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
