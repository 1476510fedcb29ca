import { formatMoment } from '../../../api/human/age.ts'
import type { AccessKeySpec, AccessKeyStatus } from '../../../api/types/management.ts'
import { systemClock } from '../../../base/clock.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import type { OutputFormat } from '../../output/format.ts'
import { say, warn } from '../../output/messages.ts'
import { print } from '../../output/print.ts'
import { printObject, qualifiedName } from '../../output/print-object.ts'
import { textTable } from '../../output/text-table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { scopeWords } from '../scope-words.ts'

export interface ShowKeyOptions {
  readonly output: OutputFormat
  readonly quiet: boolean
}

/** Prints a new or rotated key with its value, which the platform never shows again. */
export function showOnce(answer: JsonBody, { output, quiet }: ShowKeyOptions, terminal: Terminal): void {
  const { spec, status, name } = partsOf(answer)
  const value = spec.key ?? ''
  if (value === '') warn(terminal, 'the platform did not tell the value of the key')
  if (quiet) return void print(terminal, `${value}\n`)
  if (output === 'name') {
    print(terminal, `${qualifiedName(answer)}\n`)
    say(terminal, `The value was not shown. To get a new one: tenant platform keys rotate ${name}`)
    return
  }
  if (output === 'json' || output === 'yaml') printObject(terminal, output, answer)
  else print(terminal, textTable(rowsOf(name, spec, status, value)))
  say(terminal, 'This is the only time that the value is shown: keep it in a safe place now.')
}

function rowsOf(name: string, spec: AccessKeySpec, { expiresAt }: AccessKeyStatus, value: string) {
  const owner = spec.user || spec.team || spec.subject || 'you'
  const [scope = 'all that its owner may do', ...more] = scopeWords(spec.scope)
  const after = spec.ttlAfterLastActivity === true ? ', later with every use' : ''
  const end = expiresAt === undefined ? 'never' : `${formatMoment(expiresAt, systemClock.now())} (${expiresAt})${after}`
  return [
    ['Name', name],
    ['Owner', owner],
    ['Scope', scope],
    ...more.map((words) => ['', words]),
    ['Expires', end],
    ['Key', value],
  ]
}

/** The platform's answers match its schema. */
export function partsOf({ metadata, spec, status }: JsonBody): {
  readonly name: string
  readonly spec: AccessKeySpec
  readonly status: AccessKeyStatus
} {
  const name = isJsonObject(metadata) ? String(metadata.name ?? '') : ''
  return { name, spec: asMembers(spec), status: asMembers(status) }
}
