import { isPrintable } from '../../human/go-syntax.ts'
import { utf8Length } from '../../utf8-length.ts'

const longestWarning = 256

/** What is wrong with the warning that users of a deprecated version get in a header. */
export function deprecationProblems(isDeprecated: boolean, warning: string | undefined): readonly string[] {
  if (warning === undefined) return []
  if (!isDeprecated) return ['can only be set for deprecated versions']
  const at = [...warning].findIndex((character) => !isPrintable(character))
  const before = [...warning].slice(0, Math.max(at, 0)).join('')
  return [
    ...(utf8Length(warning) > longestWarning ? [`must be <= ${longestWarning} characters long`] : []),
    ...(warning === '' ? ['must not be an empty string'] : []),
    ...(at < 0
      ? []
      : [`must only contain printable UTF-8 characters; non-printable character found at index ${utf8Length(before)}`]),
  ]
}
