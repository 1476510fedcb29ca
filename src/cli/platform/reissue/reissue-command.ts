import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { validateName } from '../../../api/names.ts'
import { durationArgument } from '../../arguments/duration-argument.ts'
import { platformOption } from '../../arguments/platform-option.ts'
import { projectOption } from '../../arguments/project-option.ts'
import type { ReissueOptions } from './options.ts'

interface ReissueFlags extends Omit<ReissueOptions, 'name' | 'seconds'> {
  readonly for?: number
}

export function reissueCommand(reissue: (options: ReissueOptions) => Promise<void>): Command {
  return new Command('reissue')
    .description('Issue a new proof of identity to a virtual cluster whose Secret is lost or known to others.')
    .addArgument(new Argument('<name>', 'the name of the virtual cluster on the platform').argParser(instanceName))
    .addOption(projectOption())
    .option('--for <duration>', 'how long the virtual cluster may fetch the new proof (default: 15m)', durationArgument)
    .addOption(
      new Option(
        '-o, --output <format>',
        'print the proof as a Secret, instead of letting the virtual cluster fetch it',
      ).choices(['yaml', 'json']),
    )
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action((name: string, { for: seconds = 15 * 60, ...flags }: ReissueFlags) => reissue({ ...flags, name, seconds }))
}

const examples = `
The old proof is void at once, and links that were opened with it are cut. The virtual cluster fetches the new one when
it next registers, which it keeps retrying. If several virtual clusters share its key, any of them could fetch the proof
first; -o prevents that.

Examples:
  tenant platform reissue dev --project shop
  tenant platform reissue dev --project shop --for 1h
  tenant platform reissue dev --project shop -o yaml | kubectl --context host apply -f -
`

function instanceName(text: string): string {
  const [problem] = validateName('dns-subdomain', text)
  if (problem === undefined) return text
  throw new InvalidArgumentError(`It is not the name of a virtual cluster: ${problem}.`)
}
