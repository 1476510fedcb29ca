import type { ChildProcess } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { makeCertificates } from '../certificates.ts'
import { freePort } from '../network/free-port.ts'
import { killProgram, startListening } from '../programs/listening.ts'

const needed = [
  ['/usr/share/perl5/Lemonldap/NG/Portal/Main.pm', 'liblemonldap-ng-portal-perl'],
  ['/usr/bin/plackup', 'libplack-perl'],
  ['/usr/share/doc/liblasso-perl', 'liblasso-perl'],
  ['/usr/share/perl5/XML/Simple.pm', 'libxml-simple-perl'],
  ['/usr/share/perl5/IO/String.pm', 'libio-string-perl'],
  ['/usr/share/perl5/String/Random.pm', 'libstring-random-perl'],
] as const
const folders: Readonly<Record<string, string>> = {
  static: '/usr/share/lemonldap-ng/portal/htdocs/static',
  javascript: '/usr/share/javascript',
}

/** Why tests that need LemonLDAP::NG cannot run here; `undefined` if they can. In CI that is a failure, not a skip. */
export function missingLemonldap(): string | undefined {
  const packages = needed.filter(([file]) => !existsSync(file)).map(([, name]) => name)
  if (packages.length === 0) return undefined
  const reason = `LemonLDAP::NG is not installed (Debian packages ${packages.join(', ')})`
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

export interface Lemonldap {
  /** Ends with a slash, as in its metadata. */
  readonly url: string
  /** PEM. */
  readonly authority: string
  /** Begins to answer, with these settings besides the usual ones. */
  start(settings: object): Promise<void>
  stop(): Promise<void>
}

/** PEM: the keys for signing tokens and assertions. */
export interface LemonldapKeys {
  readonly privateKey: string
  readonly certificate: string
}

/**
 * LemonLDAP::NG with its built-in demonstration users (dwho, rtyler, msmith; a password is the name). Its address is
 * known before it starts, because it and its clients must know each other.
 */
export async function openLemonldap(keys: LemonldapKeys): Promise<Lemonldap> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-lemonldap-'))
  const { caFile, certFile, keyFile } = await makeCertificates(directory, 'provider')
  const [authority = '', cert, key] = await Promise.all(
    [caFile, certFile, keyFile].map((file) => readFile(file, 'utf8')),
  )
  const port = await freePort()
  const front = createServer({ cert, key }, (asked, answer) => passOn(port, asked, answer))
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(front.address() as AddressInfo).port}/`
  let child: ChildProcess | undefined
  return {
    url,
    authority,
    start: async (settings) => {
      await writeSettings(directory, { ...usualSettings(directory, url, keys), ...settings })
      child = await startPortal(directory, port)
    },
    stop: async () => {
      if (child !== undefined) await killProgram(child)
      front.closeAllConnections()
      await new Promise((resolve) => front.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function writeSettings(directory: string, settings: object): Promise<void> {
  const made = ['conf', 'sessions/lock', 'psessions/lock', 'notifications']
  for (const folder of made) await mkdir(join(directory, folder), { recursive: true })
  await writeFile(join(directory, 'conf', 'lmConf-1.json'), JSON.stringify(settings))
  await writeFile(
    join(directory, 'lemonldap-ng.ini'),
    [
      '[all]',
      'logLevel = warn',
      '[configuration]',
      'type = File',
      `dirName = ${join(directory, 'conf')}`,
      '[portal]',
      'staticPrefix = /static',
      'templateDir = /usr/share/lemonldap-ng/portal/templates',
      'languages = en',
    ].join('\n'),
  )
}

function usualSettings(directory: string, portal: string, { privateKey, certificate }: LemonldapKeys): object {
  const store = (name: string) => ({
    Directory: join(directory, name),
    LockDirectory: join(directory, name, 'lock'),
    generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
  })
  const publicKey = createPublicKey(certificate).export({ type: 'spki', format: 'pem' })
  return {
    cfgNum: 1,
    cfgDate: '1700000000',
    cfgVersion: '2.16.1',
    portal,
    domain: '127.0.0.1',
    cookieName: 'lemonldap',
    securedCookie: 1,
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Null',
    registerDB: 'Null',
    portalDisplayRegister: 0,
    portalDisplayResetPassword: 0,
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    whatToTrace: 'uid',
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: store('sessions'),
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: store('psessions'),
    localSessionStorage: '',
    locationRules: { '127.0.0.1': { default: 'accept' } },
    issuerDBOpenIDConnectActivation: 1,
    oidcServicePrivateKeySig: privateKey,
    oidcServicePublicKeySig: publicKey,
    oidcServiceKeyIdSig: 'key-1',
    issuerDBSAMLActivation: 1,
    samlServicePrivateKeySig: privateKey,
    samlServicePublicKeySig: certificate,
    samlOrganizationName: 'Tests',
    samlOrganizationDisplayName: 'Tests',
    samlOrganizationURL: portal,
  }
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** TLS ends here. Files are served here; connections are not kept, because its server handles one at a time. */
function passOn(port: number, asked: IncomingMessage, answer: ServerResponse): void {
  const path = normalize(new URL(asked.url ?? '/', 'https://x').pathname)
  const [, first = '', ...rest] = path.split('/')
  const folder = folders[first]
  if (folder !== undefined) {
    readFile(join(folder, ...rest)).then(
      (content) => answer.writeHead(200, { 'content-type': types[extname(path)] ?? 'image/png' }).end(content),
      () => answer.writeHead(404).end(),
    )
    return
  }
  const headers = { ...asked.headers, connection: 'close' }
  const options = { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers, agent: false }
  const onward = request(options as object, (told) => {
    answer.writeHead(told.statusCode ?? 502, told.headers)
    told.pipe(answer)
  })
  onward.once('error', () => answer.destroy())
  asked.pipe(onward)
}

async function startPortal(directory: string, port: number): Promise<ChildProcess> {
  const script = join(directory, 'portal.psgi')
  await writeFile(
    script,
    `BEGIN { $INC{'GD/SecurityImage.pm'} = 'draws pictures for people, and is not asked to' }
use Lemonldap::NG::Portal::Main;
my $portal = Lemonldap::NG::Portal::Main->run({});
sub { my $env = shift; $env->{'psgi.url_scheme'} = 'https'; $env->{HTTPS} = 'on'; $portal->($env) };
`,
  )
  const flags = ['-s', 'HTTP::Server::PSGI', '-E', 'deployment', '--host', '127.0.0.1', '--port', String(port), script]
  return startListening({
    name: 'LemonLDAP::NG',
    file: '/usr/bin/plackup',
    flags,
    env: { PATH: process.env.PATH ?? '', LLNG_DEFAULTCONFFILE: join(directory, 'lemonldap-ng.ini') },
    address: { host: '127.0.0.1', port },
  })
}
