import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import { validateLabel1035 } from '../names.ts'
import type { CustomResourceDefinitionNames } from '../types/apiextensions-v1.ts'

/** What is left out follows from the kind. */
export function withNameDefaults(names: CustomResourceDefinitionNames): CustomResourceDefinitionNames {
  const { kind } = names
  if (kind === '') return names
  const { singular = kind.toLowerCase(), listKind = `${kind}List` } = names
  return { ...names, singular, listKind }
}

export function validateNames(names: CustomResourceDefinitionNames, path: string): readonly FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names
  const isRepeated = kind !== '' && kind === listKind
  return [
    ...nameErrors(plural, `${path}.plural`),
    ...nameErrors(singular, `${path}.singular`),
    ...kindErrors(kind, `${path}.kind`),
    ...kindErrors(listKind, `${path}.listKind`),
    ...(isRepeated ? [invalidField(`${path}.listKind`, listKind, 'kind and listKind may not be the same')] : []),
    ...shortNames.flatMap((name, index) => labelErrors(name, `${path}.shortNames[${index}]`)),
    ...categories.flatMap((name, index) => labelErrors(name, `${path}.categories[${index}]`)),
  ]
}

function nameErrors(name: string, field: string): readonly FieldError[] {
  return name === '' ? [requiredField(field)] : labelErrors(name, field)
}

function labelErrors(name: string, field: string): readonly FieldError[] {
  return validateLabel1035(name).map((problem) => invalidField(field, name, problem))
}

function kindErrors(kind: string, field: string): readonly FieldError[] {
  if (kind === '') return [requiredField(field)]
  return validateLabel1035(kind.toLowerCase()).map((problem) =>
    invalidField(field, kind, `may have mixed case, but should otherwise match: ${problem}`),
  )
}
