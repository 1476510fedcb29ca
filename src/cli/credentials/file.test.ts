import { expect, it } from 'vitest'
import { editKubeconfig } from '../connect/kubeconfig-file.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { changeCredentials } from './file.ts'

/** No user may create a file there, not even root. */
const file = '/proc/none/config'

it('logins that cannot be written name the file and the way to another', async () => {
  const terminal = { env: { TENANT_CONFIG: file } } as unknown as Terminal
  await expect(changeCredentials(terminal, (logins) => logins)).rejects.toThrow(
    /^cannot write \/proc\/none\/config: .*; the environment variable TENANT_CONFIG names another file$/,
  )
})

it('so does a kubeconfig', async () => {
  await expect(editKubeconfig(file, () => 'kind: Config')).rejects.toThrow(
    /^cannot write \/proc\/none\/config: .*; name another kubeconfig with --kubeconfig$/,
  )
})
