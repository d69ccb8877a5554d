import { lazy, Suspense } from 'preact/compat'
import { useEffect, useState } from 'preact/hooks'
import { Route, Router, Switch } from 'wouter-preact'
import { browserZone } from '#shared/zones.ts'
import { api, type Problem, whenLoggedOut } from './api.ts'
import { Guard } from './Guard.tsx'
import { askBeforeNavigation, confirmLeave } from './leave-guard.ts'
import { clearLoaded, useLoad } from './load.ts'
import { NoPage } from './NoPage.tsx'
import { Login, LoginAgain } from './pages/login/Login.tsx'
import { Today } from './pages/today/Today.tsx'
import { Shell } from './Shell.tsx'
import { may, rememberedProvider, rememberProvider, SessionContext, wasWelcomed } from './session.ts'
import { shell } from './shell-words.ts'
import { showTimesIn } from './time.ts'
import { Skeleton, Trouble } from './ui/Page.tsx'

const calendar = () => import('./pages/calendar/Calendar.tsx')
// Starts loading the calendar while the session is read, if the address asks for it.
if (location.pathname === '/console/calendar') void calendar()

const Start = lazy(() => import('./pages/start/Start.tsx'))
const Welcome = lazy(() => import('./pages/start/Welcome.tsx'))
const Resources = lazy(() => import('./pages/offers/resources/Resources.tsx'))
const Products = lazy(() => import('./pages/offers/products/Products.tsx'))
const Import = lazy(() => import('./pages/import/Import.tsx'))
const Channels = lazy(() => import('./pages/channels/Channels.tsx'))

// Every page of the console. All but the first are loaded when they are opened.

/** Pages about the current Provider. Until there is one, the setup steps replace them. */
const pages = {
  '/requests': lazy(() => import('./pages/requests/Requests.tsx')),
  '/waiting': lazy(() => import('./pages/waiting/WaitingList.tsx')),
  '/calendar': lazy(calendar),
  '/customers': lazy(() => import('./pages/customers/Customers.tsx')),
  '/customers/duplicates': lazy(() => import('./pages/customers/DuplicatesPage.tsx')),
  '/customers/:uuid/merge/:other': lazy(() => import('./pages/customers/MergePage.tsx')),
  '/customers/import': Import,
  '/customers/import/:uuid': Import,
  '/customers/:uuid': lazy(() => import('./pages/customers/Customer.tsx')),
  '/offers': Resources,
  '/offers/resources/:uuid': Resources,
  '/offers/resources/:uuid/hours': lazy(() => import('./pages/offers/hours/Hours.tsx')),
  '/offers/products': Products,
  '/offers/products/:uuid': Products,
  '/offers/questions/:which?': lazy(() => import('./pages/questions/Questions.tsx')),
  '/offers/closures/:which?': lazy(() => import('./pages/offers/closures/Closures.tsx')),
  '/offers/calendars/:which?/:what?': lazy(() => import('./pages/offers/calendars/Calendars.tsx')),
  '/offers/contacts/:which?': lazy(() => import('./pages/offers/contacts/Contacts.tsx')),
  '/channels': lazy(() => import('./pages/channels/Booking.tsx')),
  '/channels/resources': Channels,
  '/channels/look': lazy(() => import('./pages/channels/Branding.tsx')),
  '/channels/subscriptions': lazy(() => import('./pages/channels/Subscriptions.tsx')),
  '/channels/:uuid/:key': Channels,
  '/start/:step?': Start,
  '/people': lazy(() => import('./pages/people/People.tsx')),
  '/mails': lazy(() => import('./pages/mails/Mails.tsx')),
  '/mails/texts/:kind?': lazy(() => import('./pages/mails/EmailTexts.tsx')),
  '/reports': lazy(() => import('./pages/reports/Reports.tsx')),
  '/audit': lazy(() => import('./pages/audit/Audit.tsx')),
}

/** Pages about the login, a CRM or the installation: available without a Provider. */
const others = {
  '/integration': lazy(() => import('./pages/integration/Integration.tsx')),
  '/operator': lazy(() => import('./pages/operator/Operator.tsx')),
  '/start/new': lazy(() => import('./pages/start/Start.tsx').then(part => ({ default: part.NewStart }))),
  '/me': lazy(() => import('./pages/me/Me.tsx')),
}

export function App() {
  const [isOut, setOut] = useState(false)
  useEffect(() => whenLoggedOut(() => setOut(true)), [])
  const session = useLoad('session', signal => {
    const provider = rememberedProvider()
    return api.get('/session', { query: provider ? { provider } : {}, signal })
  })
  const [chosen, setChosen] = useState(rememberedProvider)
  /** Reads the session. A different user gets a fresh page, so that no data of the previous one remains. */
  const logIn = async () => {
    const known = session.data
    const now = await api.get('/session').catch(() => null)
    if (!now) return false
    if (known && known.me.uuid !== now.me.uuid) location.reload()
    if (!known) clearLoaded()
    await session.reload()
    setOut(false)
    return true
  }
  if (!session.data && (isOut || isLoginProblem(session.problem))) return <Login onDone={logIn} />
  if (session.problem && !session.data) return <Trouble problem={session.problem} onRetry={session.reload} />
  if (!session.data) return <Skeleton />
  const { me, providers, hasMailServer } = session.data
  const own = providers.find(one => !one.isDemo)
  const provider = providers.find(one => one.uuid === chosen) ?? own ?? providers[0] ?? null
  showTimesIn(provider?.timeZone ?? browserZone())
  const isWelcome = may(me, 'crm') && !own && !(provider && wasWelcomed())
  const choose = (uuid: string) =>
    confirmLeave(async () => {
      rememberProvider(uuid)
      // One that was found by a search comes with the next session.
      if (!providers.some(one => one.uuid === uuid)) await session.reload()
      setChosen(uuid)
    })
  return (
    <SessionContext.Provider
      value={{ me, providers, provider, choose, hasMailServer, isWelcome, reload: session.reload }}
    >
      <Router base="/console" aroundNav={askBeforeNavigation}>
        <Shell>
          <Suspense fallback={<Skeleton />}>
            <Guard>
              <Switch>
                <Route path="/" component={isWelcome ? Welcome : Today} />
                {Object.entries(others).map(([path, page]) => (
                  <Route key={path} path={path} component={page} />
                ))}
                {Object.entries(pages).map(([path, page]) => (
                  <Route key={path} path={path} component={provider ? page : Start} />
                ))}
                <Route>
                  <NoPage title={shell.pageNotFound} />
                </Route>
              </Switch>
            </Guard>
          </Suspense>
        </Shell>
      </Router>
      {isOut && <LoginAgain email={me.email} onDone={logIn} />}
    </SessionContext.Provider>
  )
}

const isLoginProblem = (problem: Problem | null) => problem?.status === 401
