import { expect, it } from 'vitest'
import { CredentialPluginFailed, KubeconfigError } from '../../client/kubeconfig/contract.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { suggestingLocalDriver } from './choose-driver.ts'

const terminal = { env: { HOME: '/nowhere' } } as unknown as Terminal

function told(error: Error, driver?: 'kubernetes'): Promise<string> {
  const choice = { session: undefined, ...(driver && { driver }) }
  return suggestingLocalDriver(choice, terminal, () => Promise.reject(error)).then(
    () => '',
    ({ message }) => message,
  )
}

it('a missing kubeconfig is reported with the other way, unless a driver was named', async () => {
  const missing = new KubeconfigError('there is no kubeconfig')
  expect(await told(missing)).toContain('or log in to a platform that tenant up runs')
  expect(await told(missing, 'kubernetes')).toBe('there is no kubeconfig')
})

it('a credential plugin that failed is reported with its own words alone', async () => {
  expect(await told(new CredentialPluginFailed('log in again'))).toBe('log in again')
})
