import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const execute = promisify(execFile)
let directory = ''
let project = ''
let packed: readonly string[] = []

interface LockedPackage {
  readonly dev?: boolean
  readonly devOptional?: boolean
}

/** The packages that `npm install` of the package would bring along: all that are not for development. */
function neededPackages(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
  return Object.entries<LockedPackage>(packages)
    .filter(([path, { dev, devOptional }]) => path.lastIndexOf('node_modules/') === 0 && !dev && !devOptional)
    .map(([path]) => path)
    .filter((path) => existsSync(join(repository, path)))
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenant-package-'))
  project = join(directory, 'project')
  const { stdout } = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', directory], {
    cwd: repository,
  })
  const [{ filename, files }] = JSON.parse(stdout)
  packed = files.map(({ path }: { readonly path: string }) => path)
  const installed = join(project, 'node_modules', 'tenant-platform')
  mkdirSync(installed, { recursive: true })
  await execute('tar', ['-xzf', join(directory, filename), '-C', installed, '--strip-components', '1'])
  for (const path of neededPackages()) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    symlinkSync(join(repository, path), join(project, path))
  }
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  mkdirSync(join(project, 'node_modules', '.bin'))
  chmodSync(join(installed, bin.tenant), 0o755)
  symlinkSync(join('..', 'tenant-platform', bin.tenant), join(project, 'node_modules', '.bin', 'tenant'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What `npx` runs. */
function tenant(...args: readonly string[]) {
  const main = join(project, 'node_modules', '.bin', 'tenant')
  return execute(process.execPath, [main, ...args], { cwd: project, timeout: 240_000 })
}

const usesApiServer = `
import { existsSync } from 'node:fs'
import { get } from 'node:https'
import { startApiServer } from 'tenant-platform/testing'

const server = await startApiServer({ controllers: 'none' })
const options = { ca: server.certificateAuthority, headers: { authorization: 'Bearer wrong' } }
const status = await new Promise((resolve) => get(server.url, options, (answer) => resolve(answer.statusCode)))
await server.stop()
console.log(status, existsSync(server.kubeconfig) ? 'left behind' : 'gone')
`

const misusesApiServer = `
// @ts-expect-error the types that are shipped must refuse this: the compilation fails when they do not
await startApiServer({ controllers: 'some' })
`

describe('the package, installed without development dependencies', () => {
  it('runs with npx', async () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
    const byNpx = execute('npx', ['--no-install', 'tenant', '--version'], { cwd: project, timeout: 240_000 })
    expect((await byNpx).stdout).toBe(`${version}\n`)
    expect((await tenant('config', 'schema')).stdout).toContain('"title": "tenant.yaml"')
  })

  it('includes the sandbox', async () => {
    const patch = '{path: metadata.labels.a, expression: value + "x", reverseExpression: value}'
    const run = tenant('config', 'validate', '-f', '-')
    run.child.stdin?.end(`sync: {toHost: {endpoints: {patches: [${patch}]}}}\n`)
    const { stdout, stderr } = await run
    expect(stdout).toContain('is valid, 1 warning')
    expect(stderr).toContain('warning:')
  })

  it('starts all components on one machine', async () => {
    const main = join(project, 'node_modules', '.bin', 'tenant')
    const child = spawn(
      process.execPath,
      [main, 'up', '--no-demo', '--port', '0', '--data-dir', join(directory, 'data')],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    child.stderr.on('data', (text) => (output += text))
    try {
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (text) => {
          output += text
          if (/^ready$/m.test(output)) resolve()
        })
        child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)))
      })
    } finally {
      child.kill('SIGTERM')
    }
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  })

  it('exports an API server for tests, with its types', async () => {
    const run = execute(process.execPath, ['--input-type=module', '--eval', usesApiServer], { cwd: project })
    expect((await run).stdout).toBe('401 gone\n')
    writeFileSync(join(project, 'uses.mts'), `${usesApiServer}${misusesApiServer}`)
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
    ]
    const types = ['--typeRoots', join(repository, 'node_modules/@types')]
    const checked = execute(join(repository, 'node_modules/.bin/tsc'), [...options, ...types, 'uses.mts'], {
      cwd: project,
    })
    expect(await checked.catch(({ stdout }) => ({ stdout }))).toMatchObject({ stdout: '' })
  })

  it('contains the built program, but neither sources nor tests', () => {
    const needed = ['package.json', 'README.md', 'LICENSE', 'dist/cli/main.js', 'dist/testing.js']
    const threads = ['dist/expression/sandbox/worker.js', 'dist/sign-on/saml/thread/check-signature.js']
    expect(packed).toEqual(expect.arrayContaining([...needed, ...threads]))
    expect(packed.filter((path) => /\.test\.|^(?:src|tests|bench)\/|\.ts$/.test(path))).toEqual(['dist/testing.d.ts'])
  })
})
