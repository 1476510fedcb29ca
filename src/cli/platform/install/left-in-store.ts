import { parseStoreAddress } from '../../../cluster/store/store-address.ts'
import { type InstallChoices, isEmbedded } from './settings.ts'

/** Stands for addresses that are in a Secret: the prefix is the default one. */
const anyEtcd = 'etcd:https://etcd'

/** What an uninstallation says about a store outside the cluster, which it does not touch. */
export function leftInStore(choices: InstallChoices, deleteData: boolean): readonly string[] {
  if (isEmbedded(choices)) return []
  const { store, etcdSecret, encryption } = choices
  const address = parseStoreAddress(store || anyEtcd)
  const below = address.form === 'etcd' ? `, under ${address.etcd.prefix}` : ''
  const place = store || `the etcd of Secret ${etcdSecret}`
  if (!deleteData || encryption !== true) return [`What it kept in ${place} is still there${below}.`]
  return [
    `What it kept in ${place} is still there${below}, and cannot be read any more: its encryption keys are deleted. Remove it before you install a platform on it again.`,
  ]
}
