import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { useSession } from '../../api/current.ts';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { notifyFailure } from '../../ui/overlays/notify.ts';
import { chooseTheme, chosenTheme, type Theme } from '../../ui/theme.ts';

const THEMES: [Theme, string, 'monitor' | 'sun' | 'moon'][] = [
  ['system', 'System theme', 'monitor'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
];

/** The menu of the signed-in user: theme, account, sign-out. */
export function AccountMenu({ className, wide }: { className: string; wide: string }) {
  const { user } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [theme, setTheme] = useState<Theme>();
  const signOut = async () => {
    try {
      await send('POST', '/v1/auth/sign-out', {});
      queries.clear();
      window.location.assign('/dashboard/sign-in');
    } catch (error) {
      notifyFailure('You could not be signed out', error);
    }
  };
  return (
    <Menu
      align="start"
      onOpen={() => setTheme(chosenTheme())}
      trigger={
        <button type="button" className={className} title="Account">
          <Icon name="user" className="text-muted" />
          <span className={cx('flex-1 truncate text-left', wide)}>{user.name}</span>
        </button>
      }
    >
      <div className="px-2 py-1.5 text-s">
        <div className="font-medium">{user.name}</div>
        <div className="text-muted">{user.email}</div>
      </div>
      <MenuItem icon="settings" onSelect={() => navigate({ to: '/account/profile' })}>
        Account
      </MenuItem>
      <MenuSeparator />
      {THEMES.map(([value, title, icon]) => (
        <MenuItem
          key={value}
          icon={icon}
          isCurrent={theme === value}
          onSelect={() => {
            chooseTheme(value);
            setTheme(value);
          }}
        >
          {title}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon="log-out" onSelect={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
