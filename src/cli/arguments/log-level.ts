import { Option } from 'commander'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

export function logLevelOption(usual: LogLevel): Option {
  return new Option('--log-level <level>', 'minimum level of log lines').choices(levels).default(usual)
}
