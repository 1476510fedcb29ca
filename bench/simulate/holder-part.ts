import { serveParent } from '../link/process.ts'
import type { HolderOptions } from './contract.ts'
import { TenantHolder } from './tenant-holder.ts'

type Asked = 'history' | 'stop' | { readonly open: { readonly from: number; readonly to: number } }

const options: HolderOptions = JSON.parse(process.argv[2] ?? '{}')
const holder = new TenantHolder(options)
serveParent({}, async (request) => {
  const asked = request as Asked
  if (asked === 'history') return holder.history()
  if (asked === 'stop') return holder.stop()
  return holder.open(asked.open.from, asked.open.to)
})
