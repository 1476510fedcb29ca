import { Command, Option } from 'commander'
import { countArgument } from '../arguments/count-argument.ts'
import { platformOption } from '../arguments/platform-option.ts'
import { parsePort } from '../arguments/port.ts'
import { projectOption } from '../arguments/project-option.ts'
import { outputOption } from '../output/format.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createExamples, listExamples, restoreExamples, scheduleExamples, verifyExamples } from './examples.ts'
import type {
  CreateBackupFlags,
  ListBackupsOptions,
  RestoreBackupOptions,
  ScheduleBackupsOptions,
  VerifyBackupOptions,
} from './options.ts'

/** The implementations are loaded when a command runs. */
export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .description('Back up the platform and virtual clusters, and restore them.')
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(verifyCommand(terminal))
    .addCommand(restoreCommand(terminal))
    .addCommand(scheduleCommand(terminal))
}

function createCommand(terminal: Terminal): Command {
  return addTargetOptions(new Command('create'))
    .description('Back up the platform or a virtual cluster while it runs.')
    .addOption(toOption())
    .addOption(keyOption())
    .addOption(keepOption())
    .addOption(keepDaysOption())
    .addOption(outputOption())
    .addHelpText('after', createExamples)
    .action(async (flags: CreateBackupFlags) => (await import('./create.ts')).createBackupOf(flags, terminal))
}

function listCommand(terminal: Terminal): Command {
  return new Command('list')
    .alias('ls')
    .description('List complete, running and failed backups.')
    .addOption(fromOption())
    .addOption(outputOption())
    .addHelpText('after', listExamples)
    .action(async (flags: ListBackupsOptions) => (await import('./list.ts')).listBackupsIn(flags, terminal))
}

function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .description('Read a whole backup as a restore does, decode every object, and compare counts and checksums.')
    .argument('<name>', 'the backup, as tenant backup list names it')
    .addOption(fromOption())
    .addOption(keyOption())
    .addOption(outputOption())
    .addHelpText('after', verifyExamples)
    .action(async (name: string, flags: Omit<VerifyBackupOptions, 'name'>) =>
      (await import('./verify.ts')).verifyBackupIn({ ...flags, name }, terminal),
    )
}

function restoreCommand(terminal: Terminal): Command {
  return addTargetOptions(new Command('restore'))
    .description('Restore a backup into an empty store, or one namespace or object of it into a running cluster.')
    .argument('<name>', 'the backup, as tenant backup list names it')
    .addOption(fromOption())
    .addOption(keyOption())
    .option('--store <url>', 'the empty store to restore into: file:DIR or etcd:URL[,URL]')
    .option('--revocations <file>', 'access keys that were revoked since: a name, uid or key id on each line')
    .option('-n, --namespace <namespace>', 'restore that namespace into a running cluster')
    .option('--object <plural/name>', 'restore that object, of --namespace or of the whole cluster')
    .option('--another-cluster', 'allow a backup of another cluster than the target')
    .addHelpText('after', restoreExamples)
    .action(async (name: string, flags: Omit<RestoreBackupOptions, 'name'>) =>
      (await import('./restore.ts')).restoreBackup({ ...flags, name }, terminal),
    )
}

function scheduleCommand(terminal: Terminal): Command {
  return addTargetOptions(new Command('schedule'))
    .description('Create backups on a schedule, until the process is stopped.')
    .argument('<cron>', "when: five fields as in cron, or @daily, @hourly, '@every 6h'")
    .addOption(toOption())
    .addOption(keyOption())
    .addOption(keepOption())
    .addOption(keepDaysOption())
    .option('--time-zone <zone>', 'time zone of the schedule, such as Europe/Berlin (default: UTC)')
    .option('--metrics-port <port>', 'serve /metrics there', parsePort)
    .option('--metrics-host <address>', 'the address of --metrics-port', '127.0.0.1')
    .addHelpText('after', scheduleExamples)
    .action(async (schedule: string, flags: Omit<ScheduleBackupsOptions, 'schedule'>) =>
      (await import('./schedule.ts')).scheduleBackups({ ...flags, schedule }, terminal),
    )
}

/** Without either, the target is the platform itself. */
function addTargetOptions(command: Command): Command {
  return command
    .option('--virtual-cluster <name>', 'a virtual cluster of the platform (default: the platform itself)')
    .addOption(projectOption())
    .addOption(platformOption())
    .option('--kubeconfig <file>', 'use the cluster of a kubeconfig, which must be an API server of this program')
    .option('--context <name>', 'the cluster of a context of the kubeconfig')
}

function toOption(): Option {
  return new Option(
    '--to <place>',
    'where backups are stored: a directory, or s3://BUCKET/PREFIX',
  ).makeOptionMandatory()
}

function fromOption(): Option {
  return new Option(
    '--from <place>',
    'where backups are stored: a directory, or s3://BUCKET/PREFIX',
  ).makeOptionMandatory()
}

function keyOption(): Option {
  return new Option(
    '--key <file>',
    'file with the backup key: 32 random bytes in base64; older keys on further lines',
  ).makeOptionMandatory()
}

function keepOption(): Option {
  return new Option(
    '--keep <count>',
    'keep this many of the newest backups of this cluster, and remove the others',
  ).argParser(countArgument)
}

function keepDaysOption(): Option {
  return new Option(
    '--keep-days <days>',
    'remove backups of this cluster that are older than this many days',
  ).argParser(countArgument)
}
