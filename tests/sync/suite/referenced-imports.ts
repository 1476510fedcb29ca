import { beforeAll, describe, expect, it } from 'vitest'
import { type Collection, configMaps, endpoints, oneAddress, secrets } from '../support/objects.ts'
import { soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const secretNote = 'example.com/secret'
const settingsNote = 'example.com/settings'

/** ConfigMaps are referenced and not synced. */
const config = {
  sync: {
    toHost: {
      configMaps: { enabled: false },
      endpoints: {
        patches: [
          { path: `metadata.annotations["${secretNote}"]`, reference: { apiVersion: 'v1', kind: 'Secret' } },
          { path: `metadata.annotations["${settingsNote}"]`, reference: { apiVersion: 'v1', kind: 'ConfigMap' } },
        ],
      },
    },
  },
}

export function referencedImports(stage: () => Stage): void {
  describe('a referenced object that only the host has', () => {
    let tenant: Tenant
    let namespace: string

    beforeAll(async () => {
      tenant = await stage().newTenant({ config })
      namespace = await stage().newNamespace()
    })

    const onHost = (kind: Collection, name: string, fields: object) =>
      stage().host.create(kind, {
        metadata: { namespace: tenant.hostNamespace, name: tenant.hostName(namespace, name) },
        ...fields,
      })
    const owner = (name: string, annotations: Record<string, string>) =>
      stage().virtual.create(endpoints, {
        metadata: { namespace, name, annotations },
        subsets: oneAddress('10.0.0.1'),
      })
    const found = (kind: Collection, name: string) => stage().virtual.find(kind, namespace, name)

    it('is imported, kept up to date, and never written back, also if its kind is not synced', async () => {
      await onHost(secrets, 'password', { data: { a: 'MQ==' } })
      const settings = await onHost(configMaps, 'settings', { data: { a: '1' } })
      await owner('both', { [secretNote]: 'password', [settingsNote]: 'settings' })
      await soon(async () => {
        expect((await found(secrets, 'password'))?.data).toEqual({ a: 'MQ==' })
        expect((await found(configMaps, 'settings'))?.data).toEqual({ a: '1' })
      })
      expect((await tenant.copy(endpoints, namespace, 'both')).metadata.annotations).toMatchObject({
        [secretNote]: tenant.hostName(namespace, 'password'),
        [settingsNote]: tenant.hostName(namespace, 'settings'),
      })
      await tenant.patchCopy(secrets, namespace, 'password', { data: { a: 'Mg==' } })
      await soon(async () => expect((await found(secrets, 'password'))?.data).toEqual({ a: 'Mg==' }))
      await stage().virtual.patch(configMaps, namespace, 'settings', { data: { a: 'forged' } })
      await soon(async () => expect((await found(configMaps, 'settings'))?.data).toEqual({ a: '1' }))
      expect(await tenant.copy(configMaps, namespace, 'settings')).toEqual(settings)
    })

    it('is imported once an object of the tenant under its name is deleted', async () => {
      await onHost(secrets, 'contested', { data: { a: 'MQ==' } })
      await stage().virtual.create(secrets, { metadata: { namespace, name: 'contested' }, data: { a: 'b3du' } })
      await owner('contender', { [secretNote]: 'contested' })
      await soon(async () => expect((await stage().warnings(namespace, 'contested')).join()).toMatch(/HostNameTaken/))
      expect((await found(secrets, 'contested'))?.data).toEqual({ a: 'b3du' })
      await stage().virtual.delete(secrets, namespace, 'contested')
      await soon(async () => expect((await found(secrets, 'contested'))?.data).toEqual({ a: 'MQ==' }))
    })

    it('is deleted with the last reference, and survives a restart while there is one', async () => {
      for (const name of ['kept', 'dropped', 'forgotten']) {
        await onHost(secrets, name, { data: { a: 'MQ==' } })
        await owner(`of-${name}`, { [secretNote]: name })
      }
      await soon(async () => {
        for (const name of ['kept', 'dropped', 'forgotten']) expect(await found(secrets, name)).toBeDefined()
      })
      await stage().virtual.patch(endpoints, namespace, 'of-dropped', { metadata: { annotations: null } })
      await soon(async () => expect(await found(secrets, 'dropped')).toBeUndefined())
      const uid = (await found(secrets, 'kept'))?.metadata.uid
      await tenant.syncer.kill()
      await stage().virtual.delete(endpoints, namespace, 'of-forgotten')
      await tenant.syncer.start()
      await soon(async () => expect(await found(secrets, 'forgotten')).toBeUndefined())
      await stays(async () => expect((await found(secrets, 'kept'))?.metadata.uid).toBe(uid))
    })

    it('is also deleted if nothing refers to anything after a restart', async () => {
      await tenant.syncer.kill()
      await stage().virtual.deleteAll(endpoints, namespace)
      await tenant.syncer.start()
      await soon(async () => {
        for (const name of ['password', 'kept', 'contested']) expect(await found(secrets, name)).toBeUndefined()
        expect(await found(configMaps, 'settings')).toBeUndefined()
      })
      expect((await tenant.copy(secrets, namespace, 'kept')).data).toEqual({ a: 'MQ==' })
    })
  })
}
