import { type FieldError, invalidField, requiredField, tooManyField } from '../../field-error.ts'
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '../../types/apiextensions-v1.ts'

/** Checks where a definition finds columns and replicas in its objects. */

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const mostColumns = 100
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

export function columnsErrors(
  { additionalPrinterColumns }: CustomResourceDefinitionVersion,
  path: string,
): readonly FieldError[] {
  const columns = additionalPrinterColumns ?? []
  const field = `${path}.additionalPrinterColumns`
  if (columns.length > mostColumns) return [tooManyField(field, columns.length, mostColumns)]
  return columns.flatMap((column, index) => columnErrors(column, `${field}[${index}]`))
}

function columnErrors(
  { name, type, format, jsonPath }: CustomResourceColumnDefinition,
  path: string,
): readonly FieldError[] {
  const isFormat = format === undefined || columnFormats.includes(format)
  return [
    ...(name === '' ? [requiredField(`${path}.name`)] : []),
    ...(type === '' ? [requiredField(`${path}.type`, `must be one of ${columnTypes.join(',')}`)] : []),
    ...(type !== '' && !columnTypes.includes(type)
      ? [invalidField(`${path}.type`, type, `must be one of ${columnTypes.join(',')}`)]
      : []),
    ...(isFormat ? [] : [invalidField(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`)]),
    ...pathErrors(jsonPath, `${path}.JSONPath`),
  ]
}

function pathErrors(jsonPath: string, field: string): readonly FieldError[] {
  if (jsonPath === '') return [requiredField(field)]
  return jsonPath.startsWith('.') ? [] : [invalidField(field, jsonPath, 'must be a simple json path starting with .')]
}

export function scaleErrors({ subresources }: CustomResourceDefinitionVersion, path: string): readonly FieldError[] {
  const scale = subresources?.scale
  return scale === undefined ? [] : scalePathsErrors(scale, `${path}.subresources.scale`)
}

function scalePathsErrors(scale: CustomResourceSubresourceScale, path: string): readonly FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale
  return [
    ...replicasPathErrors(specReplicasPath, `${path}.specReplicasPath`, ['.spec'], '.spec'),
    ...replicasPathErrors(statusReplicasPath, `${path}.statusReplicasPath`, ['.status'], '.status'),
    ...(labelSelectorPath === undefined || labelSelectorPath === ''
      ? []
      : replicasPathErrors(
          labelSelectorPath,
          `${path}.labelSelectorPath`,
          ['.spec', '.status'],
          'either .spec or .status',
        )),
  ]
}

function replicasPathErrors(
  text: string,
  field: string,
  roots: readonly string[],
  where: string,
): readonly FieldError[] {
  const errors = pathErrors(text, field)
  if (errors.length > 0) return errors
  return roots.some((root) => text.startsWith(`${root}.`))
    ? []
    : [invalidField(field, text, `should be a json path under ${where}`)]
}
