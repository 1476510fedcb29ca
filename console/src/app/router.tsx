import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { ClusterPage } from '../clusters/cluster-page.tsx'
import { ClustersPage } from '../clusters/clusters-page.tsx'
import { KeyPage } from '../keys/detail/key-page.tsx'
import { KeysPage } from '../keys/keys-page.tsx'
import { OverviewPage } from '../overview/overview-page.tsx'
import { PlaygroundPage } from '../playground/playground-page.tsx'
import { ProjectPage } from '../projects/project-page.tsx'
import { ProjectsPage } from '../projects/projects-page.tsx'
import { AuthorizePage } from '../session/authorize-page.tsx'
import { Layout } from '../shell/layout.tsx'
import { TeamPage } from '../teams/team-page.tsx'
import { TeamsPage } from '../teams/teams-page.tsx'
import { UserPage } from '../users/user-page.tsx'
import { UsersPage } from '../users/users-page.tsx'
import { VirtualClusterPage } from '../virtual-clusters/virtual-cluster-page.tsx'
import { VirtualClustersPage } from '../virtual-clusters/virtual-clusters-page.tsx'
import { NotFound, PageProblem } from './not-found.tsx'

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFound,
  errorComponent: PageProblem,
  validateSearch: ({ tab }: Readonly<Record<string, unknown>>): { readonly tab?: string } =>
    typeof tab === 'string' ? { tab } : {},
})
const under = { getParentRoute: () => root } as const

const routes = [
  createRoute({
    ...under,
    path: '/',
    component: OverviewPage,
  }),
  createRoute({ ...under, path: '/keys', component: KeysPage }),
  createRoute({
    ...under,
    path: '/keys/$name',
    component: KeyPage,
  }),
  createRoute({
    ...under,
    path: '/users',
    component: UsersPage,
  }),
  createRoute({
    ...under,
    path: '/users/$name',
    component: UserPage,
  }),
  createRoute({
    ...under,
    path: '/teams',
    component: TeamsPage,
  }),
  createRoute({
    ...under,
    path: '/teams/$name',
    component: TeamPage,
  }),
  createRoute({
    ...under,
    path: '/projects',
    component: ProjectsPage,
  }),
  createRoute({
    ...under,
    path: '/projects/$name',
    component: ProjectPage,
  }),
  createRoute({
    ...under,
    path: '/clusters',
    component: ClustersPage,
  }),
  createRoute({
    ...under,
    path: '/clusters/$name',
    component: ClusterPage,
  }),
  createRoute({
    ...under,
    path: '/virtual-clusters',
    component: VirtualClustersPage,
  }),
  createRoute({
    ...under,
    path: '/virtual-clusters/$project/$name',
    component: VirtualClusterPage,
  }),
  createRoute({ ...under, path: '/authorize', component: AuthorizePage }),
  createRoute({
    ...under,
    path: '/playground',
    component: PlaygroundPage,
  }),
] as const

const routeTree = root.addChildren(routes)

export function createConsoleRouter() {
  return createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
