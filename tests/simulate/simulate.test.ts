import { expect, it } from 'vitest'
import { printResult } from '../../bench/simulate/report.ts'
import { simulate } from '../../bench/simulate/simulation.ts'
import { builtCli } from '../support/programs/built-cli.ts'
import { missingEtcd } from '../support/stores/etcd.ts'

const withoutEtcd = missingEtcd()

it.skipIf(withoutEtcd)('a simulation of 20 tenants completes, and reports its measurements', async () => {
  const { sizes, active, restart, revocation } = await simulate({
    cli: builtCli(),
    sizes: [10, 20],
    replicas: 1,
    idleSeconds: 0.5,
    settleMs: 100,
    holders: 0,
    activeShare: 0.5,
  })
  expect(sizes.map(({ tenants }) => tenants)).toEqual([10, 20])
  expect(active.answers).toBeGreaterThan(0)
  expect(active.refused).toBe(0)
  expect(restart.links).toBe(20)
  expect(restart.backMs).toBeLessThan(45_000)
  expect(revocation.links).toBe(20)
  expect(printResult({ sizes, active, restart, revocation })).toContain('last of 20 links cut')
})
