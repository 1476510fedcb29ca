import { expect, it } from 'vitest'
import { clusterRoleGroup } from '../../api/link.ts'
import { RoleBinder } from './role-binder.ts'

const forRole = (role: string) => ['impersonate-user', 'anna', 'impersonate-group', clusterRoleGroup(role)]

it('a role is bound once, even for concurrent requests', async () => {
  const asked: string[] = []
  const binder = new RoleBinder(async (role) => void asked.push(role))
  await Promise.all([binder.bindRolesIn(forRole('view')), binder.bindRolesIn(forRole('view'))])
  expect(binder.bindRolesIn(forRole('view'))).toBeUndefined()
  expect(asked).toEqual(['view'])
})

it('a role that could not be bound is retried', async () => {
  let attempts = 0
  const binder = new RoleBinder(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('refused')
  })
  await expect(binder.bindRolesIn(forRole('view'))).rejects.toThrow('refused')
  await binder.bindRolesIn(forRole('view'))
  expect(binder.bindRolesIn(forRole('view'))).toBeUndefined()
  expect(attempts).toBe(2)
})

it.each([[['impersonate-group', 'developers']], [['x-group', clusterRoleGroup('view')]], [[]]])(
  'nothing needs to be bound for %j',
  (headers) => {
    expect(new RoleBinder(() => Promise.reject(new Error('asked'))).bindRolesIn(headers)).toBeUndefined()
  },
)
