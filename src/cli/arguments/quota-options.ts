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
      `maximum access keys of one user or team (default: ${keysPerOwner})`,
      countArgument,
    )
    .option(
      '--max-sessions-per-owner <number>',
      `maximum sessions of one owner; a further one ends an earlier one (default: ${defaultKeySettings.sessionsPerOwner})`,
      countArgument,
    )
    .option(
      '--max-projects-per-user <number>',
      `maximum projects that one user may create (default: ${projectsPerCreator})`,
      countArgument,
    )
    .option(
      '--max-virtual-clusters-per-project <number>',
      `maximum virtual clusters of one project (default: ${virtualClustersPerProject})`,
      countArgument,
    )
    .option(
      '--max-spaces-per-project <number>',
      `maximum spaces of one project (default: ${spacesPerProject})`,
      countArgument,
    )
    .option(
      '--max-users-per-connector <number>',
      `maximum users that sign-ins through one connector create (default: ${usersPerConnector})`,
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
