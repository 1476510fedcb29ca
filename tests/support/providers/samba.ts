import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { broughtValue } from '../canary/brought-value.ts'
import { makeCertificates } from '../certificates.ts'
import { killProgram, startListening } from '../programs/listening.ts'

const needed = [
  ['/usr/sbin/samba', 'samba'],
  ['/usr/share/samba/setup/provision.ldif', 'samba-ad-provision'],
  ['/usr/share/doc/samba-dsdb-modules', 'samba-dsdb-modules'],
] as const
const patienceMs = 240_000

/** Why tests that need Samba cannot run here; `undefined` if they can. In CI that is a failure, not a skip. */
export function missingSamba(): string | undefined {
  const packages = needed.filter(([file]) => !existsSync(file)).map(([, name]) => name)
  const lacks = [
    ...(packages.length === 0 ? [] : [`Samba is not installed (Debian packages ${packages.join(', ')})`]),
    ...(process.getuid?.() === 0 ? [] : ['only root can listen on the ports of Active Directory']),
  ]
  if (lacks.length === 0) return undefined
  const reason = lacks.join('; ')
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

export interface SambaDomain {
  readonly ldap: string
  readonly ldaps: string
  /** PEM. */
  readonly authority: string
  readonly baseDn: string
  readonly administratorDn: string
  readonly administratorPassword: string
  stop(): Promise<void>
}

/**
 * Samba's Active Directory: a new domain, of which only the directory is served, on a separate loopback address,
 * because its ports cannot be chosen.
 */
export async function startSamba(): Promise<SambaDomain> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-samba-'))
  const address = `127.${randomInt(10, 250)}.${randomInt(1, 250)}.${randomInt(1, 250)}`
  const password = `${broughtValue('administrator-of-a-domain')}Aa1!`
  try {
    const [, { caFile, certFile, keyFile }] = await Promise.all([
      provision(directory, password),
      makeCertificates(directory, 'directory', address),
    ])
    const config = join(directory, 'etc', 'smb.conf')
    await writeFile(config, configOf(directory, address, { caFile, certFile, keyFile }))
    const child = await startListening({
      name: 'samba',
      file: '/usr/sbin/samba',
      flags: ['--interactive', '--model=single', '--debug-stdout', '--configfile', config],
      address: { host: address, port: 636 },
    })
    const baseDn = 'DC=example,DC=test'
    return {
      ldap: `ldap://${address}`,
      ldaps: `ldaps://${address}`,
      authority: await readFile(caFile, 'utf8'),
      baseDn,
      administratorDn: `CN=Administrator,CN=Users,${baseDn}`,
      administratorPassword: password,
      stop: async () => {
        await killProgram(child)
        await rm(directory, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

/**
 * Like `samba-tool domain provision`, but without the rights on shared files: those need attributes that not every file
 * system has.
 */
const provisioning = `
import logging, sys
from samba import param
from samba.auth import system_session
from samba.dsdb import DS_DOMAIN_FUNCTION_2008_R2
from samba.provision import FILL_FULL, provision
settings = param.LoadParm()
settings.load_default()
provision(logging.getLogger(), system_session(), targetdir=sys.argv[1], realm='EXAMPLE.TEST', domain='EXAMPLE',
  serverrole='active directory domain controller', hostname='dc', hostip='127.0.0.1', dns_backend='NONE', lp=settings,
  adminpass=sys.stdin.read(), samdb_fill=FILL_FULL, dom_for_fun_level=DS_DOMAIN_FUNCTION_2008_R2, skip_sysvolacl=True)
`

async function provision(directory: string, password: string): Promise<void> {
  const made = promisify(execFile)('/usr/bin/python3', ['-c', provisioning, directory], { timeout: patienceMs })
  made.child.stdin?.end(password)
  await made
}

interface TlsPaths {
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
}

function configOf(directory: string, address: string, { caFile, certFile, keyFile }: TlsPaths): string {
  const at = (name: string) => join(directory, name)
  return `${[
    '[global]',
    'realm = EXAMPLE.TEST',
    'workgroup = EXAMPLE',
    'netbios name = DC',
    'server role = active directory domain controller',
    'server services = ldap',
    `interfaces = ${address}/8`,
    'bind interfaces only = yes',
    `private dir = ${at('private')}`,
    `state directory = ${at('state')}`,
    `lock directory = ${directory}`,
    `cache directory = ${at('cache')}`,
    `pid directory = ${directory}`,
    `ncalrpc dir = ${at('ncalrpc')}`,
    'tls enabled = yes',
    `tls cafile = ${caFile}`,
    `tls certfile = ${certFile}`,
    `tls keyfile = ${keyFile}`,
    'tls verify peer = no_check',
  ].join('\n')}\n`
}
