import type { WrittenNumber } from '../../base/json/precise.ts'
import type { Schema } from '../schema.ts'
import { goDecoderType, goStruct } from './go-words.ts'

/**
 * Go's decoder does not take a number with a fraction or an exponent for an integer, even if its value is one. Undefined
 * if all such numbers are elsewhere.
 */
export function fractionProblem(schema: Schema, numbers: readonly WrittenNumber[]): string | undefined {
  for (const number of numbers) {
    const problem = problemAt(schema, number)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemAt(schema: Schema, { path, text }: WrittenNumber): string | undefined {
  let node: Schema | undefined = schema
  let outer = schema
  const names: string[] = []
  for (const element of path) {
    if (node === undefined) return undefined
    if (typeof element === 'number') node = node.items
    else if (node.additionalProperties !== undefined) node = node.additionalProperties
    else {
      outer = node
      names.push(element)
      node =
        node.properties !== undefined && Object.hasOwn(node.properties, element) ? node.properties[element] : undefined
    }
  }
  const wanted = node && integerType(node)
  if (wanted === undefined) return undefined
  return `json: cannot unmarshal number ${text} into Go struct field ${goStruct(outer)}.${names.join('.')} of type ${wanted}`
}

function integerType(schema: Schema): string | undefined {
  if (schema.format === 'int-or-string') return 'int32'
  return schema.type === 'integer' ? goDecoderType(schema) : undefined
}
