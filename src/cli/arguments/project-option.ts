import { InvalidArgumentError, Option } from 'commander'
import { validateLabel } from '../../api/names.ts'

/** `-p`, for every command that works in a project. */
export function projectOption(description = 'the project (default: the one of the last create or connect)'): Option {
  return new Option('-p, --project <project>', description).argParser((text: string) => {
    const [problem] = validateLabel(text)
    if (problem === undefined) return text
    throw new InvalidArgumentError(`It is not the name of a project: ${problem}.`)
  })
}
