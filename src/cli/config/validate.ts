import { ownConfig } from '../../api/tenant-config/parse.ts'
import { jsonText } from '../../base/json/json-text.ts'
import { type CheckedConfig, checkConfig, inOrder } from '../../patches/config/check-config.ts'
import { checkRoundTrips } from '../../patches/config/round-trips.ts'
import { say } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { ReportedFailure } from '../reported-failure.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ValidateOptions } from './options.ts'
import { countProblems, printProblems } from './print-problems.ts'

export async function validate(flags: ValidateOptions, terminal: Terminal): Promise<void> {
  const { text, name } = await readInputText(flags.file, terminal)
  const checked = await withRoundTrips(checkConfig(text, name, ownConfig))
  if (flags.output === 'json') print(terminal, jsonText(verdict(checked)))
  else tellVerdict(checked, terminal)
  if (checked.config === undefined) throw new ReportedFailure(`${name} is not valid`)
}

/** Static checks come first: round trips of an invalid file are not tried. */
async function withRoundTrips(checked: CheckedConfig): Promise<CheckedConfig> {
  const { document, config, problems } = checked
  if (config === undefined) return checked
  return { ...checked, problems: inOrder([...problems, ...(await checkRoundTrips(document, config))]) }
}

function verdict({ document, config, problems }: CheckedConfig) {
  return { file: document.file, valid: config !== undefined, problems }
}

function tellVerdict(checked: CheckedConfig, terminal: Terminal): void {
  const { document, config, problems } = checked
  printProblems(checked, terminal)
  const counted = problems.length === 0 ? '' : `, ${countProblems(problems)}`
  if (config === undefined) say(terminal, `${document.file} is not valid${counted}`)
  else print(terminal, `${document.file} is valid${counted}\n`)
}
