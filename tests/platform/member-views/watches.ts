import { describe, expect, it } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import type { CountingStore } from '../counting-store.ts'
import { management, type OpenWatch } from '../platform.ts'
import { inProject, members, merge, type User, type Views } from './world.ts'

/** Runs on the platform of member-views.test.ts. */
export function memberWatches(views: Views, counting: () => CountingStore): void {
  const { platform, tokenOf, get, names, patch, makeInstance } = views

  describe('a watch', () => {
    const events = ({ text }: OpenWatch): readonly string[] =>
      text()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code}`)
    const watching = (user: User, kind: string, query = '') =>
      platform.watch(`${management}/${kind}?watch=true${query}`, tokenOf(user))
    const revisionOf = async (user: User, kind: string): Promise<string> =>
      (await get(user, kind)).body.metadata.resourceVersion
    const told = (watch: OpenWatch, ...expected: readonly string[]) =>
      eventually(async () => expect(events(watch)).toEqual(expected))

    it('shows the part that a list shows, and what comes into it', async () => {
      const watch = await watching('dan', 'virtualclusterinstances')
      await told(watch, 'ADDED counter')
      await makeInstance('bank', 'secret')
      await makeInstance('bank', 'shown', { access: [{ verbs: ['get'], users: ['dan'] }] })
      await told(watch, 'ADDED counter', 'ADDED shown')
      await patch('namespaces/p-bank/virtualclusterinstances/shown', { access: [] })
      await told(watch, 'ADDED counter', 'ADDED shown', 'DELETED shown')
      await patch('namespaces/p-bank/virtualclusterinstances/secret', { access: [{ verbs: ['*'], users: ['dan'] }] })
      await told(watch, 'ADDED counter', 'ADDED shown', 'DELETED shown', 'ADDED secret')
      for (const name of ['secret', 'shown']) {
        await platform.must('DELETE', `${inProject('bank', 'virtualclusterinstances')}/${name}`)
      }
      await told(watch, 'ADDED counter', 'ADDED shown', 'DELETED shown', 'ADDED secret', 'DELETED secret')
      watch.stop()
    })

    it('ends when a membership begins or ends, and cannot resume from before that', async () => {
      const kind = 'virtualclusterinstances'
      const before = await revisionOf('eve', kind)
      const other = await watching('ann', kind, `&resourceVersion=${before}`)
      const watch = await watching('eve', kind, `&resourceVersion=${before}`)
      await patch('projects/bank', { members: [{ kind: 'User', name: 'eve', role: 'viewer' }] })
      await watch.ended
      expect(events(watch)).toEqual([])
      const resumed = await watching('eve', kind, `&resourceVersion=${before}`)
      await resumed.ended
      expect(events(resumed)).toEqual(['ERROR 410'])
      const { pastLists } = counting()
      const forged = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: Number(before), start: '\0', left: -1 }))
      expect((await get('eve', `${kind}?resourceVersion=${before}&resourceVersionMatch=Exact`)).status).toBe(410)
      expect((await get('eve', `${kind}?continue=${forged.toString('base64url')}`)).status).toBe(410)
      expect(counting().pastLists).toBe(pastLists)

      const page = await get('eve', `${kind}?limit=1`)
      const { resourceVersion, continue: token } = page.body.metadata
      const member = await watching('eve', kind, `&resourceVersion=${resourceVersion}`)
      await makeInstance('bank', 'news')
      await told(member, 'ADDED news')
      await patch('projects/bank', { members: [] })
      await member.ended
      expect((await get('eve', `${kind}?continue=${token}`)).status).toBe(410)
      expect(await names('eve', kind)).toEqual([])
      await platform.must('DELETE', `${inProject('bank', kind)}/news`)
      expect(events(member)).toEqual(['ADDED news'])
      await makeInstance('shop', 'sign')
      await told(other, 'ADDED sign')
      other.stop()
      await platform.must('DELETE', `${inProject('shop', kind)}/sign`)
    })

    it.each([
      ['in the namespace of the project', ''],
      ['for one object', '&fieldSelector=metadata.name%3Dtill'],
    ])('%s ends for a member who leaves it', async (_, query) => {
      const watch = await watching('hal', 'namespaces/p-shop/virtualclusterinstances', query)
      expect(events(watch)).toEqual([])
      await patch('projects/shop', { members: [...members, { kind: 'User', name: 'hal', role: 'user' }] })
      await watch.ended
      const member = await watching('hal', 'namespaces/p-shop/virtualclusterinstances', query)
      await eventually(async () => expect(events(member)).toContain('ADDED till'))
      await patch('projects/shop', { members })
      await member.ended
      expect(await names('hal', 'namespaces/p-shop/virtualclusterinstances')).toEqual([])
    })

    it('of one object by its own grant ends with that', async () => {
      const path = 'namespaces/p-bank/virtualclusterinstances'
      await patch(`${path}/vault`, { access: [{ verbs: ['watch'], users: ['hal'] }] })
      const watch = await watching('hal', path, '&fieldSelector=metadata.name%3Dvault')
      await told(watch, 'ADDED vault')
      await patch(`${path}/vault`, { access: [] })
      await told(watch, 'ADDED vault', 'DELETED vault')
      await patch(`${path}/vault`, { displayName: 'not for hal' })
      await patch(`${path}/vault`, { access: [{ verbs: ['watch'], users: ['hal'] }] })
      await told(watch, 'ADDED vault', 'DELETED vault', 'ADDED vault')
      watch.stop()
      await patch(`${path}/vault`, { access: [] })
    })

    it('of projects reports when their own change makes them visible or invisible', async () => {
      const later = await revisionOf('fay', 'projects')
      await patch('projects/bank', { access: [{ verbs: ['get'], users: ['fay'] }] })
      const watch = await watching('fay', 'projects', `&resourceVersion=${later}`)
      await told(watch, 'ADDED bank')
      await patch('projects/bank', { access: [] })
      await told(watch, 'ADDED bank', 'DELETED bank')
      watch.stop()
    })

    it('ends with a role, and with a place in a team', async () => {
      const watch = await watching('fay', 'virtualclusterinstances')
      await told(watch, 'ADDED counter', 'ADDED hidden', 'ADDED vault')
      const binding = '/apis/rbac.authorization.k8s.io/v1/namespaces/p-bank/rolebindings/reading'
      await platform.ask('PATCH', binding, { body: { metadata: { labels: { seen: 'yes' } } }, type: merge })
      await makeInstance('bank', 'later')
      await told(watch, 'ADDED counter', 'ADDED hidden', 'ADDED vault', 'ADDED later')
      await platform.must('DELETE', binding)
      await watch.ended
      expect(await names('fay', 'virtualclusterinstances')).toEqual([])
      await platform.must('DELETE', `${inProject('bank', 'virtualclusterinstances')}/later`)

      const revision = await revisionOf('bob', 'teams')
      const member = await watching('bob', 'teams')
      await told(member, 'ADDED crew')
      await patch('teams/crew', { users: [] })
      await member.ended
      expect(events(member)).toEqual(['ADDED crew'])
      const resumed = await watching('bob', 'teams', `&resourceVersion=${revision}`)
      await resumed.ended
      expect(events(resumed)).toEqual(['ERROR 410'])
      await patch('teams/crew', { users: ['bob'] })
    })

    it('has bookmarks with a version and nothing else', async () => {
      const query = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      const watch = await watching('eve', 'virtualclusterinstances', query)
      await eventually(async () => expect(watch.text()).toContain('BOOKMARK'))
      expect(watch.text()).not.toContain('p-')
      watch.stop()
    })
  })
}
