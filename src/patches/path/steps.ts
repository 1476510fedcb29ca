import { isJsonObject } from '../../base/json/member.ts'
import type { PatchPathElement } from './path.ts'

const nowhere: readonly never[] = []

/** The steps that a path element takes from a value, with members sorted by name; none from a scalar. */
export function stepsInto(value: unknown, element: PatchPathElement): readonly (string | number)[] {
  if (Array.isArray(value)) return stepsIntoArray(value.length, element)
  if (!isJsonObject(value)) return nowhere
  if (element.type === 'wildcard') {
    return Object.keys(value)
      .filter((name) => value[name] !== undefined)
      .sort()
  }
  const name = element.type === 'index' ? String(element.index) : element.name
  return Object.hasOwn(value, name) && value[name] !== undefined ? [name] : nowhere
}

export function childOf(value: unknown, step: string | number): unknown {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

function stepsIntoArray(length: number, element: PatchPathElement): readonly number[] {
  switch (element.type) {
    case 'wildcard':
      return [...Array(length).keys()]
    case 'index':
      return element.index < length ? [element.index] : nowhere
    case 'member':
      return nowhere
  }
}
