import { type FieldError, invalidField, requiredField } from '../../field-error.ts'
import { validateLabel1035 } from '../../names.ts'
import type { CustomResourceDefinitionNames } from '../../types/apiextensions-v1.ts'

/** Omitted names follow from the kind. */
export function withNameDefaults(names: CustomResourceDefinitionNames): CustomResourceDefinitionNames {
  const { kind } = names
  if (kind === '') return names
  const { singular = kind.toLowerCase(), listKind = `${kind}List` } = names
  return { ...names, singular, listKind }
}

export function missingNameErrors(names: CustomResourceDefinitionNames, path: string): readonly FieldError[] {
  const { plural, singular = '', kind, listKind = '' } = names
  return Object.entries({ plural, singular, kind, listKind }).flatMap(([member, name]) =>
    name === '' ? [requiredField(`${path}.${member}`)] : [],
  )
}

export function validateNames(names: CustomResourceDefinitionNames, path: string): readonly FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names
  const isRepeated = kind !== '' && kind === listKind
  return [
    ...(plural === '' ? [] : labelErrors(plural, `${path}.plural`)),
    ...(singular === '' ? [] : labelErrors(singular, `${path}.singular`)),
    ...(kind === '' ? [] : kindErrors(kind, `${path}.kind`)),
    ...(listKind === '' ? [] : kindErrors(listKind, `${path}.listKind`)),
    ...shortNames.flatMap((name, index) => labelErrors(name, `${path}.shortNames[${index}]`)),
    ...(isRepeated ? [invalidField(`${path}.listKind`, listKind, 'kind and listKind may not be the same')] : []),
    ...categories.flatMap((name, index) => labelErrors(name, `${path}.categories[${index}]`)),
  ]
}

function labelErrors(name: string, field: string): readonly FieldError[] {
  const problems = validateLabel1035(name)
  return problems.length === 0 ? [] : [invalidField(field, name, problems.join(','))]
}

function kindErrors(kind: string, field: string): readonly FieldError[] {
  const problems = validateLabel1035(kind.toLowerCase())
  if (problems.length === 0) return []
  return [invalidField(field, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)]
}
