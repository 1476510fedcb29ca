import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { commandEntries } from '../../src/cli/commands.ts'
import { followers } from '../../src/cli/completion/words.ts'
import { createProgram, runCli } from '../../src/cli/program.ts'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const silent: Terminal = { stdout: { write: () => {} }, stderr: { write: () => {} }, env: {} }

async function run(...args: readonly string[]) {
  let stdout = ''
  let stderr = ''
  const terminal = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    env: {},
  }
  return { exitCode: await runCli(args, terminal), stdout, stderr }
}

describe('the list of commands', () => {
  it.each(commandEntries.map((entry) => [entry.name, entry] as const))(
    'describes %s as the command itself does',
    async (_name, entry) => {
      const command = await entry.load(silent, () => createProgram(silent, () => false))
      expect({ name: command.name(), aliases: command.aliases(), description: command.description() }).toEqual({
        name: entry.name,
        aliases: entry.alias === undefined ? [] : [entry.alias],
        description: entry.description,
      })
    },
  )

  it('is what --help shows, without loading any of them', async () => {
    const { exitCode, stdout } = await run('--help')
    expect(exitCode).toBe(0)
    for (const { name, description } of commandEntries)
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b.*${description.slice(0, 20)}`, 'm'))
  })

  it.each([
    [['help', 'create'], 'Usage: tenant create [options] <name>'],
    [['create', '--help'], '--dry-run'],
    [['ls', '--help'], '--all-projects'],
    [['platform', 'keys', '--help'], 'rotate'],
  ])('shows the whole help of %j', async (args, text) => {
    expect(await run(...args)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(text) })
  })

  it.each([
    [['get', '--help'], "unknown command 'get'"],
    [['help', 'creat'], 'Did you mean create?'],
    [['login', 'https://example.com'], "error: unknown command 'login': it is tenant platform login"],
    [['help', 'keys'], "error: unknown command 'keys': it is tenant platform keys"],
    [['platform', 'kyes', '-h'], "unknown command 'kyes'; tenant platform has install, "],
    [['platform', 'keys', 'help', 'creat'], "unknown command 'creat'; tenant platform keys has create, list, "],
    [['config', 'check'], "unknown command 'check'; tenant config has validate, show and schema\n"],
    [['patch', 'tset'], "unknown command 'tset'; tenant patch has test\n"],
  ])('%j does not show the help of another command', async (args, problem) => {
    expect(await run(...args)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(problem) })
  })

  it.each([[['creat']], [['--nothing']], [['create']]])('%j is wrong usage', async (args) => {
    expect(await run(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('error:') })
  })

  it('says what a missing argument is for', async () => {
    const stderr = 'error: <name> is missing: the virtual cluster; see tenant connect --help\n'
    expect(await run('connect')).toMatchObject({ exitCode: 2, stderr })
  })

  it.each([
    [['list', 'a'], "too many arguments for 'list'. Expected 0 arguments but got 1; see tenant list --help"],
    [['platform', 'whoami', '--foo'], "unknown option '--foo'; see tenant platform whoami --help"],
    [['list', '--outpt', 'json'], "unknown option '--outpt'\n(Did you mean --output?)"],
  ])('%j is answered with the nearest option or the help to see', async (args, text) => {
    expect(await run(...args)).toMatchObject({ exitCode: 2, stderr: `error: ${text}\n` })
  })

  it('every command has examples', async () => {
    const program = await createProgram(silent, () => true)
    const leaves = (command: typeof program): (typeof program)[] =>
      command.commands.length === 0 || command.registeredArguments.length > 0
        ? [command]
        : command.commands.flatMap(leaves)
    for (const command of program.commands.flatMap(leaves)) {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
      expect(help, command.name()).toContain('Examples:')
    }
  })
})

describe('tenant --help', () => {
  /** Reports at its end the processor time of the process, and which of our files it has loaded. */
  const probe = `
import { register } from 'node:module'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
const { port1, port2 } = new MessageChannel()
const hooks = \`
let port
export const initialize = (data) => { port = data.port }
export async function load(url, context, next) { if (url.includes('/dist/')) port.postMessage(url); return next(url, context) }\`
register('data:text/javascript,' + encodeURIComponent(hooks), { data: { port: port2 }, transferList: [port2] })
process.once('exit', () => {
  let loaded = 0
  while (receiveMessageOnPort(port1)) loaded += 1
  process.stderr.write(String(loaded))
})`

  it('loads none of the commands', async () => {
    const hook = `data:text/javascript,${encodeURIComponent(probe)}`
    const { stderr } = await promisify(execFile)(process.execPath, ['--import', hook, main, '--help'])
    expect(Number(stderr)).toBeGreaterThan(3)
    expect(Number(stderr)).toBeLessThan(20)
  })

  it('takes little more processor time than Node itself', async () => {
    const hook = `data:text/javascript,${encodeURIComponent(spent)}`
    const cpuMs = async (...args: readonly string[]) =>
      Number((await promisify(execFile)(process.execPath, ['--import', hook, ...args])).stderr)
    const pairs = []
    for (let round = 0; round < 5; round += 1)
      pairs.push([await cpuMs(main, '--help'), await cpuMs('-e', '0')] as const)
    expect(Math.min(...pairs.map(([help, bare]) => help / bare))).toBeLessThan(1.9)
  })
})

const spent = `process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stderr.write(String((user + system) / 1000))
})`

describe('tenant completion', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['cr'], ['create']],
    [['dis'], ['disconnect']],
    [['platform', 'keys', 'ro'], ['rotate']],
    [
      ['list', '-o', ''],
      ['json', 'name', 'table', 'wide', 'yaml'],
    ],
    [['create', 'demo', '--driver', 'l'], ['local']],
    [['create', '--dry'], ['--dry-run']],
    [
      ['completion', ''],
      ['bash', 'fish', 'zsh'],
    ],
    [['create', ''], []],
    [['connect', 'demo', '--', ''], []],
    [['no-such', ''], []],
    [['ls', '--all'], ['--all-projects']],
  ])('%j is completed with %j', async (words, expected) => {
    const program = await createProgram(silent, () => true)
    expect(followers(program, words)).toEqual(expected)
  })

  it('offers every command', async () => {
    const program = await createProgram(silent, () => true)
    expect(followers(program, [''])).toEqual(expect.arrayContaining(commandEntries.map(({ name }) => name)))
    expect(followers(program, [])).toContain('up')
  })

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that requests completions', async (shell) => {
    expect(await run('completion', shell)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('tenant completion words --'),
    })
  })

  it('answers the script, even for words that look like options', async () => {
    expect(await run('completion', 'words', '--', 'create', '--no-l')).toEqual({
      exitCode: 0,
      stdout: '--no-link\n',
      stderr: '',
    })
  })

  it('works in a bash', async () => {
    const script = `tenant() { ${process.execPath} ${main} "$@"; }; source <(tenant completion bash); COMP_WORDS=(tenant dis); COMP_CWORD=1; _tenant; echo "\${COMPREPLY[@]}"`
    const { stdout } = await promisify(execFile)('bash', ['-c', script])
    expect(stdout).toBe('disconnect\n')
  })

  it('refuses a shell that it does not know', async () => {
    expect(await run('completion', 'tcsh')).toMatchObject({ exitCode: 2 })
  })
})
