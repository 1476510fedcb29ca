import { type FieldError, invalidField, requiredField, tooLongField } from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import { shortened } from '../human/shortened.ts'
import { validateLabel, validateSubdomain } from '../names.ts'
import { utf8Length } from '../utf8-length.ts'

const legacySigner = 'kubernetes.io/legacy-unknown'
const longestDomain = 253
/** The path may be as long as the name of an object preceded by a namespace. */
const longestName = longestDomain + 1 + 253 + 1 + 63

/** A domain and a path, such as `example.com/signer`. */
export function validateSignerName(field: string, signer: string): readonly FieldError[] {
  if (signer === legacySigner) {
    return [invalidField(field, signer, 'the legacy signerName is not allowed via this API version')]
  }
  if (signer === '') return [requiredField(field)]
  const [domain = '', path = '', ...more] = signer.split('/')
  if (!signer.includes('/') || more.length > 0) {
    return [
      invalidField(field, signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ]
  }
  return [
    ...(utf8Length(domain) > longestDomain ? [tooLongField(field, longestDomain)] : []),
    ...firstWrongLabel(field, domain, validateLabel),
    ...(domain.includes('.')
      ? []
      : [invalidField(field, domain, 'should be a domain with at least two segments separated by dots')]),
    ...firstWrongLabel(field, path, validateSubdomain),
    ...(utf8Length(signer) > longestName ? [tooLongField(field, longestName)] : []),
  ]
}

function firstWrongLabel(
  field: string,
  text: string,
  problemsOf: (label: string) => readonly string[],
): readonly FieldError[] {
  const label = text.split('.').find((each) => problemsOf(each).length > 0)
  if (label === undefined) return []
  const told = quoted(shortened(label))
  return problemsOf(label).map((problem) => invalidField(field, text, `validating label ${told}: ${problem}`))
}
