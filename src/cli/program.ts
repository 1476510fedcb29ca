import { Command, CommanderError } from 'commander'
import { ChildEnded } from './child-ended.ts'
import { configCommand } from './config/config-command.ts'
import { connectCommand, disconnectCommand } from './connect/connect-command.ts'
import { createTenantCommand } from './create/create-command.ts'
import { deleteTenantCommand } from './delete/delete-command.ts'
import { doctorCommand } from './doctor/doctor-command.ts'
import { hideSecrets } from './hide-secrets.ts'
import { licenseCommand } from './license/license-command.ts'
import { listTenantsCommand } from './list/list-command.ts'
import { logsCommand } from './logs/logs-command.ts'
import { packageVersion } from './package-version.ts'
import { patchCommand } from './patch/patch-command.ts'
import { translateCommand } from './patch/translate-command.ts'
import { platformCommand } from './platform/platform-command.ts'
import { ReportedFailure } from './reported-failure.ts'
import { runCommand } from './run/run-command.ts'
import type { Terminal } from './terminal.ts'
import { upCommand } from './up/up-command.ts'
import { UsageError } from './usage-error.ts'

/** 0 for success, 1 for failure, 2 for wrong usage. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('tenant')
    .description('Run many virtual Kubernetes clusters on shared hosts.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(hideSecrets(text)),
    })
  program.addCommand(inherit(program, upCommand(terminal)))
  program.addCommand(inherit(program, createTenantCommand(terminal)))
  program.addCommand(inherit(program, connectCommand(terminal)))
  program.addCommand(inherit(program, disconnectCommand(terminal)))
  program.addCommand(inherit(program, listTenantsCommand(terminal)))
  program.addCommand(inherit(program, logsCommand(terminal)))
  program.addCommand(inherit(program, deleteTenantCommand(terminal)))
  program.addCommand(inherit(program, doctorCommand(terminal)))
  program.addCommand(inherit(program, runCommand(terminal)))
  program.addCommand(inherit(program, configCommand(terminal)))
  program.addCommand(inherit(program, patchCommand(terminal)))
  program.addCommand(inherit(program, translateCommand(terminal)))
  program.addCommand(inherit(program, platformCommand(terminal)))
  program.addCommand(inherit(program, licenseCommand(terminal)))
  try {
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    return exitCodeFor(error, terminal)
  }
}

function inherit(program: Command, command: Command): Command {
  for (const child of command.commands) inherit(program, child)
  return command.copyInheritedSettings(program).exitOverride()
}

function exitCodeFor(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ReportedFailure) return 1
  if (error instanceof ChildEnded) return error.exitCode
  terminal.stderr.write(`error: ${hideSecrets(error instanceof Error ? error.message : String(error))}\n`)
  return error instanceof UsageError ? 2 : 1
}
