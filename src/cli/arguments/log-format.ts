import { Option } from 'commander'
import type { LogFormat } from '../../base/log.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type LogFormatFlag = LogFormat | 'auto'

export function logFormatOption(): Option {
  return new Option('--log-format <format>', 'log format; auto: text on a terminal, JSON elsewhere')
    .choices(['auto', 'text', 'json'])
    .default('auto')
}

export function logFormat(flag: LogFormatFlag, { stderr }: Pick<Terminal, 'stderr'>): LogFormat {
  if (flag !== 'auto') return flag
  return stderr.isTTY === true ? 'text' : 'json'
}
