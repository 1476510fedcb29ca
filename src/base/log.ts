import { pino } from 'pino'
import { logText } from './log-text.ts'
import { escapedJson } from './unseen.ts'

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A log whose lines all carry the fields. */
  child(fields: LogFields): Log
  /** Writes out what is buffered; call it before the process ends. */
  flush(): void
}

/** One object in JSON for each line, or text for people. */
export type LogFormat = 'json' | 'text'

export interface LogOptions {
  readonly level?: 'debug' | 'info' | 'warn' | 'error'
  /** JSON when absent. */
  readonly format?: LogFormat
  /** Takes finished lines; standard error when absent. */
  readonly write?: (line: string) => void
}

/** Whatever a caller hands over under these names stays out of the log, at the top and one level down. */
const secretNames = ['authorization', 'token', 'key', 'password', 'secret', 'body', 'cookie', 'proof']

export function createLog(options: LogOptions = {}): Log {
  const { level = 'info', format = 'json', write } = options
  const redact = { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' }
  const hooks = { streamWrite: format === 'json' ? escapedJson : logText }
  const settings = { level, redact, hooks, base: null, serializers: { error: pino.stdSerializers.err } }
  return logOf(write === undefined ? pino(settings, standardError()) : pino(settings, { write }))
}

/** What waits to be written while it cannot be; lines beyond are dropped. */
const maxUnwrittenBytes = 4 * 1024 * 1024

const retryMs = 1_000

/** A log that cannot be written, on a full disk for instance, is no reason to end. What is kept is tried again. */
function standardError(): pino.DestinationStream {
  const destination = pino.destination({ dest: 2, sync: false, maxLength: maxUnwrittenBytes })
  let isTriedAgain = false
  const tryAgain = () => {
    isTriedAgain = false
    // Takes up what is left from before.
    destination.write('')
  }
  destination.on('error', () => {
    if (isTriedAgain) return
    isTriedAgain = true
    setTimeout(tryAgain, retryMs).unref()
  })
  return destination
}

function logOf(logger: pino.Logger): Log {
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
    child: (fields) => logOf(logger.child(fields)),
    flush: () => logger.flush(),
  }
}

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
  flush: () => {},
}
