import { expect, it } from 'vitest'
import { atOnce } from '../../base/steps.ts'
import { emptySet, type FieldSet, unionOfAll } from './field-set.ts'
import type { Manager } from './managers.ts'
import { managersAfter } from './record-update.ts'

const fieldsEach = 100

function managerOf(_: unknown, index: number): Manager {
  const data = Object.fromEntries(Array.from({ length: fieldsEach }, (_, at) => [`f:k${index}-${at}`, emptySet]))
  const identity = { name: `m${index}`, operation: 'Apply', apiVersion: 'v1', subresource: '' } as const
  return { ...identity, fields: { 'f:data': data }, time: undefined, entry: undefined }
}

function counted(set: FieldSet, look: () => void): FieldSet {
  return new Proxy(set, {
    get: (target, element) => {
      look()
      return Reflect.get(target, element)
    },
  })
}

it('compares each manager only with its own fields, however many have changed', () => {
  const managers = Array.from({ length: 199 }, managerOf)
  let looks = 0
  const data = unionOfAll(managers.map(({ fields }) => fields))['f:data'] ?? emptySet
  const changed = { 'f:data': counted(data, () => looks++) }
  const after = atOnce(managersAfter(managers, { changed, removed: emptySet }))
  expect(after.map(({ fields }) => fields)).toEqual(managers.map(() => ({})))
  expect(looks).toBeLessThan(4 * managers.length * fieldsEach)
})
