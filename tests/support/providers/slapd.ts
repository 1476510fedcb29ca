import { type ChildProcess, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '../certificates.ts'
import { freePort } from '../network/free-port.ts'
import { killProgram, startListening } from '../programs/listening.ts'

const binary = '/usr/sbin/slapd'

/**
 * Why tests that need slapd cannot run here; `undefined` if they can. In CI a missing slapd is a failure, not a skip.
 */
export function missingSlapd(): string | undefined {
  if (existsSync(binary)) return undefined
  const reason = `${binary} is not installed (Debian package slapd)`
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

export const rootDn = 'cn=root,dc=example,dc=com'
export const rootPassword = 'the password of the administrator of the directory'

export interface Slapd {
  readonly ldap: string
  readonly ldaps: string
  /** PEM. */
  readonly authority: string
  /** Ends the process and keeps ports and data. */
  stop(): Promise<void>
  /** Starts it again with the same ports and data. */
  start(): Promise<void>
  /** Ends the process and removes its data. */
  remove(): Promise<void>
}

/**
 * A real OpenLDAP on free loopback ports, with these entries below dc=example,dc=com. It accepts passwords only over
 * secure connections, accepts names without a password, and a search finds 100 entries at most, unless in pages.
 */
export async function startSlapd(entries: string): Promise<Slapd> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-slapd-'))
  const [plainPort, securePort] = [await freePort(), await freePort()]
  const { caFile, certFile, keyFile } = await makeCertificates(directory, 'directory')
  const configFile = join(directory, 'slapd.conf')
  await mkdir(join(directory, 'data'))
  await writeFile(configFile, configOf(directory, { caFile, certFile, keyFile }))
  execFileSync('/usr/sbin/slapadd', ['-q', '-f', configFile], { input: entries, stdio: 'pipe' })
  const [ldap, ldaps] = [`ldap://127.0.0.1:${plainPort}`, `ldaps://127.0.0.1:${securePort}`]
  let child: ChildProcess | undefined
  const slapd: Slapd = {
    ldap,
    ldaps,
    authority: await readFile(caFile, 'utf8'),
    start: async () => {
      const flags = ['-d', '0', '-f', configFile, '-h', `${ldap} ${ldaps}`]
      const address = { host: '127.0.0.1', port: securePort }
      child = await startListening({ name: 'slapd', file: binary, flags, address })
    },
    stop: async () => {
      if (child !== undefined) await killProgram(child)
      child = undefined
    },
    remove: async () => {
      await slapd.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  try {
    await slapd.start()
    return slapd
  } catch (error) {
    await slapd.remove()
    throw error
  }
}

interface TlsPaths {
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
}

function configOf(directory: string, { caFile, certFile, keyFile }: TlsPaths): string {
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  return `${[
    ...schemas,
    `pidfile ${join(directory, 'pid')}`,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    'moduleload memberof',
    `TLSCACertificateFile ${caFile}`,
    `TLSCertificateFile ${certFile}`,
    `TLSCertificateKeyFile ${keyFile}`,
    'allow bind_anon_dn',
    'security simple_bind=1',
    'sizelimit size.soft=100 size.hard=100 size.pr=250 size.prtotal=unlimited',
    'database mdb',
    'suffix dc=example,dc=com',
    `rootdn ${rootDn}`,
    `rootpw "${rootPassword}"`,
    `directory ${join(directory, 'data')}`,
    'maxsize 8388608',
    'index uid,member,entryUUID eq',
    'access to attrs=userPassword by anonymous auth by * none',
    'access to * by dn.exact="cn=search,dc=example,dc=com" read by * none',
    'overlay memberof',
  ].join('\n')}\n`
}
