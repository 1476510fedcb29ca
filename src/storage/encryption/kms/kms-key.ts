import { hash } from 'node:crypto'
import { lazily } from '../../../base/lazily.ts'
import type { WrappingKey } from '../contract.ts'
import { dataKeyBytes } from '../encrypted-value.ts'

/** A key held by a KMS plugin. The client is loaded on first use. */
export function openKmsKey(name: string, address: string): WrappingKey {
  let isOpen = false
  const parts = lazily(async () => {
    isOpen = true
    const [{ KmsClient }, { decodeEncrypted }] = await Promise.all([import('./kms-client.ts'), import('./messages.ts')])
    return { client: new KmsClient(address), decodeEncrypted }
  })
  return {
    name,
    currentVersion: async () => versionOf((await (await parts()).client.status()).keyId),
    wrap: async (dataKey) => {
      const { client, decodeEncrypted } = await parts()
      const wrapped = await client.encrypt(dataKey)
      return { wrapped, version: versionOf(decodeEncrypted(wrapped).keyId) }
    },
    unwrap: async (wrapped) => {
      const { client, decodeEncrypted } = await parts()
      const dataKey = await client.decrypt(decodeEncrypted(wrapped))
      if (dataKey.length !== dataKeyBytes) throw new Error('what the plugin decrypted is not a data key')
      return dataKey
    },
    close: () => {
      if (isOpen) void parts().then(({ client }) => client.close())
    },
  }
}

/** A plugin's key id may be long. */
function versionOf(keyId: string): string {
  return hash('sha256', keyId).slice(0, 16)
}
