import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Timing, timedAsync } from '../measure.ts'
import { loadPeer } from './load.ts'

/** The part of the packages' interfaces that is used here. */
interface Packages {
  readonly betterAuth: (options: object) => Auth
  readonly apiKey: (options: object) => unknown
  readonly getMigrations: (options: object) => Promise<{ runMigrations(): Promise<void> }>
  readonly Database: new (file: string) => Database
}

interface Auth {
  readonly options: object
  readonly api: {
    signUpEmail(input: object): Promise<{ readonly user: { readonly id: string } }>
    createApiKey(input: object): Promise<{ readonly key: string }>
    verifyApiKey(input: object): Promise<{ readonly valid: boolean }>
  }
}

interface Database {
  pragma(text: string): unknown
  prepare(text: string): { all(): readonly { readonly name: string }[]; run(...values: readonly unknown[]): unknown }
  close(): void
}

const name = 'better-auth, API keys in SQLite'
const sampled = 500
const verifications = 3000

export async function measureBetterAuth(keys: number): Promise<readonly [string, Timing | undefined]> {
  const packages = await loadPackages()
  if (packages === undefined) return [name, undefined]
  const folder = mkdtempSync(join(tmpdir(), 'bench-better-auth-'))
  const database = new packages.Database(join(folder, 'keys.db'))
  try {
    return [name, await measure(packages, database, keys)]
  } finally {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(packages: Packages, database: Database, keys: number): Promise<Timing> {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  const auth = packages.betterAuth({
    database,
    baseURL: 'http://localhost',
    secret: 'a secret for a benchmark, 0123456789abcdef',
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    plugins: [packages.apiKey({ rateLimit: { enabled: false } })],
  })
  await (await packages.getMigrations(auth.options)).runMigrations()
  const { user } = await auth.api.signUpEmail({
    body: { email: 'alice@example.com', password: 'correct horse battery', name: 'Alice' },
  })
  const values: string[] = []
  for (let number = 0; number < sampled; number++) {
    values.push((await auth.api.createApiKey({ body: { userId: user.id, name: `key-${number}` } })).key)
  }
  addRows(database, keys - sampled)
  return timedAsync(verifications, async (number) => {
    const { valid } = await auth.api.verifyApiKey({ body: { key: values[number % sampled] ?? '' } })
    if (!valid) throw new Error('better-auth refuses one of its own keys.')
  })
}

/** Adds that many keys directly, since creating them through the API would take too long. */
function addRows(database: Database, count: number): void {
  const columns = database.prepare('PRAGMA table_info(apikey)').all()
  const listed = columns.map((column) => `"${column.name}"`).join(', ')
  const values = columns
    .map((column) => (['id', 'key'].includes(column.name) ? 'lower(hex(randomblob(24)))' : `one."${column.name}"`))
    .join(', ')
  database
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO apikey (${listed}) SELECT ${values} FROM numbers, (SELECT * FROM apikey LIMIT 1) AS one`,
    )
    .run(Math.max(count, 1))
}

async function loadPackages(): Promise<Packages | undefined> {
  const [core, plugin, migration, sqlite] = await Promise.all([
    loadPeer('better-auth'),
    loadPeer('@better-auth/api-key'),
    loadPeer('better-auth/db/migration'),
    loadPeer('better-sqlite3'),
  ])
  const joined = {
    ...objectOf(core),
    ...objectOf(plugin),
    ...objectOf(migration),
    Database: memberOf(sqlite, 'default'),
  }
  return isComplete(joined) ? joined : undefined
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function memberOf(value: unknown, member: string): unknown {
  return Reflect.get(objectOf(value), member)
}

function isComplete(value: object): value is Packages {
  return ['betterAuth', 'apiKey', 'getMigrations', 'Database'].every(
    (member) => typeof memberOf(value, member) === 'function',
  )
}
