import { badRequest, tooLarge } from '../../api/error.ts'
import { jsonTypeName } from '../../api/human/go-print.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'

/** One operation of a patch before its pointers are checked: a wrong one fails when it is applied. */
export interface PatchOperation {
  readonly op: string
  /** Undefined if the operation lacks it. */
  readonly path: string | undefined
  readonly from: string | undefined
  /** A missing value counts as null. */
  readonly value: unknown
}

const maximumOperations = 10_000
const knownMembers = new Set(['op', 'path', 'from', 'value'])

/** Throws for a body that is not a list of operations; null counts as an empty list. */
export function readOperations(body: unknown): readonly PatchOperation[] {
  const items = operationsIn(body)
  const operations = items.map(readOperation)
  if (operations.length <= maximumOperations) return operations
  const limit = `The allowed maximum operations in a JSON patch is ${maximumOperations}, got ${operations.length}`
  throw tooLarge(`Request entity too large: ${limit}`)
}

/** The strict decoding errors about unknown members of operations, such as `json patch unknown field "[0].extra"`. */
export function unknownOperationMembers(body: unknown): readonly string[] {
  return operationsIn(body).flatMap((item, index) =>
    Object.keys(asMembers(item))
      .filter((name) => !knownMembers.has(name))
      .map((name) => `json patch unknown field "[${index}].${name}"`),
  )
}

function operationsIn(body: unknown): readonly unknown[] {
  if (body === null) return []
  if (Array.isArray(body)) return body
  throw wrongType(body, 'value of type []handlers.jsonPatchOp')
}

function readOperation(item: unknown): PatchOperation {
  if (item === null) return { op: '', path: undefined, from: undefined, value: null }
  if (!isJsonObject(item)) throw wrongType(item, 'value of type handlers.jsonPatchOp')
  return {
    op: readText(item, 'op') ?? '',
    path: readText(item, 'path'),
    from: readText(item, 'from'),
    value: Object.hasOwn(item, 'value') ? item.value : null,
  }
}

function readText(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(item, name) ? item[name] : undefined
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw wrongType(value, `struct field jsonPatchOp.${name} of type string`)
}

function wrongType(value: unknown, target: string): Error {
  return badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeName(value)} into Go ${target}`)
}
