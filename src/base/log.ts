import { pino } from 'pino'
import { logText } from './log-text.ts'
import { escapedJson } from './unseen.ts'

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A log that adds the fields to every line. */
  child(fields: LogFields): Log
  /** Writes out the buffer. Call it before the process ends. */
  flush(): void
}

/** One JSON object per line, or text for people. */
export type LogFormat = 'json' | 'text'

export interface LogOptions {
  readonly level?: 'debug' | 'info' | 'warn' | 'error'
  /** JSON when absent. */
  readonly format?: LogFormat
  /** Receives finished lines; standard error when absent. */
  readonly write?: (line: string) => void
}

/** Fields with these names are kept out of the log, at the top level and one level down. */
const secretNames = ['authorization', 'token', 'key', 'password', 'secret', 'body', 'cookie', 'proof']

export function createLog(options: LogOptions = {}): Log {
  const { level = 'info', format = 'json', write } = options
  const redact = { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' }
  const hooks = { streamWrite: format === 'json' ? escapedJson : logText }
  const settings = { level, redact, hooks, base: null, serializers: { error: pino.stdSerializers.err } }
  return logOf(write === undefined ? pino(settings, standardError()) : pino(settings, { write }))
}

/** How much is buffered while the log cannot be written. Lines beyond this are dropped. */
const maxUnwrittenBytes = 4 * 1024 * 1024

const retryMs = 1_000

/** A log that cannot be written, for example on a full disk, is no reason to exit. Buffered lines are retried. */
function standardError(): pino.DestinationStream {
  const destination = pino.destination({ dest: 2, sync: false, maxLength: maxUnwrittenBytes })
  let isTriedAgain = false
  const tryAgain = () => {
    isTriedAgain = false
    // Resumes writing the buffer.
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
