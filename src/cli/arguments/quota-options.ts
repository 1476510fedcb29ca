import type { Command } from 'commander'
import { defaultKeySettings } from '../../platform/access-keys/parts.ts'
import { defaultQuotaSettings, type QuotaSettings } from '../../platform/quotas/quota-settings.ts'
import { countArgument } from './count-argument.ts'
import { given } from './given.ts'

export interface QuotaFlags {
  readonly maxKeysPerOwner?: number
  readonly maxSessionsPerOwner?: number
  readonly maxProjectsPerUser?: number
  readonly maxVirtualClustersPerProject?: number
  readonly maxSpacesPerProject?: number
  readonly maxUsersPerConnector?: number
}

/** How many objects of the platform one owner may have. */
export function addQuotaOptions(command: Command): Command {
  const { keysPerOwner, projectsPerCreator, virtualClustersPerProject, spacesPerProject } = defaultQuotaSettings
  const { usersPerConnector } = defaultQuotaSettings
  return command
    .option(
      '--max-keys-per-owner <number>',
      `access keys that one user or team may have (default: ${keysPerOwner})`,
      countArgument,
    )
    .option(
      '--max-sessions-per-owner <number>',
      `sessions that one owner may have; a further one ends another (default: ${defaultKeySettings.sessionsPerOwner})`,
      countArgument,
    )
    .option(
      '--max-projects-per-user <number>',
      `projects that one user may make (default: ${projectsPerCreator})`,
      countArgument,
    )
    .option(
      '--max-virtual-clusters-per-project <number>',
      `virtual clusters that one project may have (default: ${virtualClustersPerProject})`,
      countArgument,
    )
    .option(
      '--max-spaces-per-project <number>',
      `spaces that one project may have (default: ${spacesPerProject})`,
      countArgument,
    )
    .option(
      '--max-users-per-connector <number>',
      `sign-ins create users until their connector has this many (default: ${usersPerConnector})`,
      countArgument,
    )
}

export function quotaSettings(flags: QuotaFlags): Partial<QuotaSettings> {
  const { maxKeysPerOwner: keysPerOwner, maxProjectsPerUser: projectsPerCreator } = flags
  const { maxVirtualClustersPerProject: virtualClustersPerProject, maxSpacesPerProject: spacesPerProject } = flags
  const { maxUsersPerConnector: usersPerConnector } = flags
  return given({
    keysPerOwner,
    projectsPerCreator,
    virtualClustersPerProject,
    spacesPerProject,
    usersPerConnector,
  })
}
