import { useGo } from '../../navigation.ts'
import { rememberWelcome, useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { Page } from '../../ui/Page.tsx'
import './start.css'
import { texts } from './words.ts'

/** The first screen of a new service: set up a business, or look at the demo. */
export default function Welcome() {
  const { providers, choose } = useSession()
  const go = useGo()
  const demo = providers.find(one => one.isDemo)
  const explore = () => {
    rememberWelcome()
    choose(demo!.uuid)
    go('/', { replace: true })
  }
  return (
    <Page title={texts.welcome}>
      <p class="lead">{demo ? texts.welcomeText : texts.welcomeAlone}</p>
      <div class="welcome-choices">
        <Choice icon="offers" title={texts.setUp} text={texts.setUpText}>
          <Button kind="main" onClick={() => go('/start/new')}>
            {texts.setUp}
          </Button>
        </Choice>
        {demo && (
          <Choice icon="calendar" title={texts.explore} text={texts.exploreText}>
            <Button onClick={explore}>{texts.explore}</Button>
          </Choice>
        )}
      </div>
    </Page>
  )
}

type ChoiceProps = { icon: IconName; title: string; text: string; children: preact.ComponentChildren }

const Choice = ({ icon, title, text, children }: ChoiceProps) => (
  <section class="card welcome-choice">
    <span class="welcome-icon">
      <Icon name={icon} />
    </span>
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </section>
)
