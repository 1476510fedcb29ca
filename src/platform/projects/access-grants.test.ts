import { describe, expect, it } from 'vitest'
import type { UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import { authenticatedGroup } from '../../auth/static-tokens.ts'
import type { Document } from '../../registry/contract.ts'
import { unstoredDocument } from '../../registry/document.ts'
import { Directory } from '../owners/directory.ts'
import { grantsVerb } from './access-grants.ts'

const ann: UserInfo = { name: 'ann', groups: [authenticatedGroup] }

/** A virtual cluster that counts how often it is read. */
function counted(spec: object): { readonly document: Document; readonly reads: () => number } {
  const object: KubeObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'till' }, spec }
  let reads = 0
  const document = new Proxy(unstoredDocument(object), {
    get: (target, property) => {
      if (property === 'itemJson') reads += 1
      return Reflect.get(target, property)
    },
  })
  return { document, reads: () => reads }
}

describe('what an object grants', () => {
  it.each([
    ['nothing', {}, false],
    ['no user', { access: [] }, false],
    ['all users', { access: [{ verbs: ['get'], users: ['*'] }] }, true],
    ['something else', { access: [{ verbs: ['use'], users: ['*'] }] }, false],
  ])('is searched once in each state of it, including one with %s', (_, spec, isGranted) => {
    const { document, reads } = counted(spec)
    const directory = new Directory()
    const answers = Array.from({ length: 1_000 }, () => grantsVerb(document, 'get', ann, directory))
    expect(new Set(answers)).toEqual(new Set([isGranted]))
    expect(reads()).toBe(1)
  })
})
