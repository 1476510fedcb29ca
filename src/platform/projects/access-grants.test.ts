import { describe, expect, it } from 'vitest'
import type { UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import { teamGroup } from '../../auth/keys/key-owner.ts'
import { authenticatedGroup } from '../../auth/static-tokens.ts'
import type { Document } from '../../registry/contract.ts'
import { unstoredDocument } from '../../registry/document.ts'
import { Directory } from '../owners/directory.ts'
import { grantsVerb } from './access-grants.ts'
import { GrantTable } from './grant-table.ts'

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

describe('entries of an object', () => {
  const entry = (users: readonly string[], teams: readonly string[] = []) => ({
    verbs: ['get'],
    clusterRole: '',
    users,
    teams,
  })
  const inTeam = (...teams: readonly string[]): UserInfo => ({
    name: 'bob',
    groups: [authenticatedGroup, ...teams.map(teamGroup)],
  })
  const [everyone, anyTeam, dev, ops] = [entry(['*']), entry([], ['*']), entry([], ['dev']), entry([], ['ops'])]
  const table = new GrantTable([ops, dev, anyTeam, everyone])
  const directory = new Directory()

  it.each<[string, UserInfo, readonly object[]]>([
    ['a user', ann, [everyone]],
    ['a member of a team', inTeam('dev'), [dev, anyTeam, everyone]],
    ['a member of two teams', inTeam('dev', 'ops'), [ops, dev, anyTeam, everyone]],
    ['a stranger', { name: 'system:anonymous', groups: [] }, []],
  ])('are found for %s, in their order', (_, user, found) => {
    expect(table.to(user, directory)).toEqual(found)
  })

  it.each<[string, (index: number) => readonly string[]]>([
    ['they mention others', (index) => [`user-${index}`]],
    ['they mention everybody, and this was asked before', () => ['*']],
  ])('are not looked at if %s', (_, usersOf) => {
    let looks = 0
    const watched = (index: number) =>
      new Proxy(entry(usersOf(index), [`team-${index}`]), {
        get: (target, name) => {
          looks += 1
          return Reflect.get(target, name)
        },
      })
    const many = new GrantTable(Array.from({ length: 1_000 }, (_, index) => watched(index)))
    expect(many.gives('use', ann, directory)).toBe(false)
    looks = 0
    for (const user of [ann, inTeam('dev')]) expect(many.gives('use', user, directory)).toBe(false)
    expect(looks).toBe(0)
  })
})
