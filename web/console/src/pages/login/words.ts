import { words } from '../../words.ts'

export const texts = words({
  en: { title: 'Log in', openLink: 'Open the link that you were given.' },
  de: { title: 'Anmelden', openLink: 'Öffnen Sie den Link, den Sie bekommen haben.' },
  fr: { title: 'Se connecter', openLink: 'Ouvrez le lien que vous avez reçu.' },
  es: { title: 'Iniciar sesión', openLink: 'Abra el enlace que ha recibido.' },
  it: { title: 'Accedi', openLink: 'Apri il link che hai ricevuto.' },
})
