import { isJsonObject } from '../../../base/json/member.ts'

/** A place in an object: names of members and positions in lists. */
export type FieldPlace = readonly (string | number)[]

/**
 * Finds the field that a server names in a conflict of server-side apply, such as
 * `.spec.template.spec.containers[name="tenant"].image`. Names may contain dots, so only the object itself shows where
 * one ends. Undefined if the object has no such field.
 */
export function placeOf(object: unknown, field: string): FieldPlace | undefined {
  if (field === '') return []
  const step = field.startsWith('[') ? itemStep(object, field) : memberStep(object, field)
  if (step === undefined) return undefined
  const rest = placeOf(step.value, step.rest)
  return rest && [step.at, ...rest]
}

export function valueAtPlace(object: unknown, place: FieldPlace): unknown {
  return place.reduce<unknown>((value, at) => childAt(value, at), object)
}

/** The object without the value at that place. */
export function withoutPlace<T>(object: T, place: FieldPlace): T
export function withoutPlace(object: unknown, [at, ...rest]: FieldPlace): unknown {
  if (at === undefined) return object
  if (Array.isArray(object)) {
    if (rest.length === 0) return object.filter((_, index) => index !== at)
    return object.map((item, index) => (index === at ? withoutPlace(item, rest) : item))
  }
  if (!isJsonObject(object) || !Object.hasOwn(object, at)) return object
  const entries = Object.entries(object)
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== at))
  return Object.fromEntries(entries.map(([name, value]) => [name, name === at ? withoutPlace(value, rest) : value]))
}

interface Step {
  readonly at: string | number
  readonly value: unknown
  readonly rest: string
}

function memberStep(object: unknown, field: string): Step | undefined {
  if (!isJsonObject(object) || !field.startsWith('.')) return undefined
  const names = Object.keys(object).filter((name) => isHead(field.slice(1), name))
  const longest = names.sort((left, right) => right.length - left.length)[0]
  if (longest === undefined) return undefined
  return { at: longest, value: object[longest], rest: field.slice(1 + longest.length) }
}

function isHead(field: string, name: string): boolean {
  return field.startsWith(name) && ['', '.', '['].includes(field.charAt(name.length))
}

/** `[name="a",port=1]` is the item with these members, `[="a"]` that value, `[3]` that position. */
function itemStep(list: unknown, field: string): Step | undefined {
  const selector = /^\[((?:[^"\]]|"(?:[^"\\]|\\.)*")*)\]/.exec(field)
  if (!Array.isArray(list) || selector === null) return undefined
  const [whole, inner = ''] = selector
  const index = /^\d+$/.test(inner) ? Number(inner) : list.findIndex((item) => fits(item, inner))
  return index < 0 || index >= list.length
    ? undefined
    : { at: index, value: list[index], rest: field.slice(whole.length) }
}

function fits(item: unknown, selector: string): boolean {
  if (selector.startsWith('=')) return JSON.stringify(item) === selector.slice(1)
  const members = [...selector.matchAll(/([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g)]
  return members.length > 0 && members.every(([, name = '', value]) => JSON.stringify(childAt(item, name)) === value)
}

function childAt(value: unknown, at: string | number): unknown {
  if (Array.isArray(value)) return typeof at === 'number' ? value[at] : undefined
  return isJsonObject(value) && Object.hasOwn(value, at) ? value[at] : undefined
}
