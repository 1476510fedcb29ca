import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { KeysPage } from '../keys/keys-page.tsx'
import { Layout } from '../shell/layout.tsx'
import { NotFound, PageProblem } from './not-found.tsx'

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound, errorComponent: PageProblem })
const under = { getParentRoute: () => root } as const

const routes = [
  createRoute({
    ...under,
    path: '/',
    component: lazyRouteComponent(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({ ...under, path: '/keys', component: KeysPage }),
  createRoute({
    ...under,
    path: '/keys/$name',
    component: lazyRouteComponent(() => import('../keys/detail/key-page.tsx'), 'KeyPage'),
  }),
  createRoute({
    ...under,
    path: '/users',
    component: lazyRouteComponent(() => import('../users/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    ...under,
    path: '/users/$name',
    component: lazyRouteComponent(() => import('../users/user-page.tsx'), 'UserPage'),
  }),
  createRoute({
    ...under,
    path: '/teams',
    component: lazyRouteComponent(() => import('../teams/teams-page.tsx'), 'TeamsPage'),
  }),
  createRoute({
    ...under,
    path: '/teams/$name',
    component: lazyRouteComponent(() => import('../teams/team-page.tsx'), 'TeamPage'),
  }),
  createRoute({
    ...under,
    path: '/projects',
    component: lazyRouteComponent(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
  }),
  createRoute({
    ...under,
    path: '/projects/$name',
    component: lazyRouteComponent(() => import('../projects/project-page.tsx'), 'ProjectPage'),
  }),
  createRoute({
    ...under,
    path: '/clusters',
    component: lazyRouteComponent(() => import('../clusters/clusters-page.tsx'), 'ClustersPage'),
  }),
  createRoute({
    ...under,
    path: '/clusters/$name',
    component: lazyRouteComponent(() => import('../clusters/cluster-page.tsx'), 'ClusterPage'),
  }),
  createRoute({
    ...under,
    path: '/virtual-clusters',
    component: lazyRouteComponent(() => import('../virtual-clusters/virtual-clusters-page.tsx'), 'VirtualClustersPage'),
  }),
  createRoute({
    ...under,
    path: '/virtual-clusters/$project/$name',
    component: lazyRouteComponent(() => import('../virtual-clusters/virtual-cluster-page.tsx'), 'VirtualClusterPage'),
  }),
  createRoute({
    ...under,
    path: '/playground',
    component: lazyRouteComponent(() => import('../playground/playground-page.tsx'), 'PlaygroundPage'),
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
