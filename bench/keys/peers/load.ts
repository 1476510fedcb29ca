import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Peers are not dependencies of this project. They are loaded from a separate folder, if they are installed there. */
const folder = process.env.BENCH_PEERS ?? join(tmpdir(), 'tenant-bench-peers')

const packages = 'better-auth@1.7.5 @better-auth/api-key@1.7.5 better-call@1.4.0 better-sqlite3@12 casbin@5'

export const peersHint = existsSync(join(folder, 'node_modules'))
  ? `Peers from ${folder}.`
  : `To compare: mkdir -p ${folder} && cd ${folder} && npm init -y && npm install --legacy-peer-deps ${packages}`

/** Undefined if it is not installed. The caller checks the content of the module. */
export async function loadPeer(name: string): Promise<unknown> {
  const require = createRequire(join(folder, 'package.json'))
  try {
    return await import(pathToFileURL(require.resolve(name)).href)
  } catch (error) {
    if (error instanceof Error && /Cannot find|not found|NODE_MODULE|exports/.test(error.message)) return undefined
    throw error
  }
}
